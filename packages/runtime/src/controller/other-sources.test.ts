import { describe, expect, test } from 'vitest';
import { controllerFixture } from '../../test/controller-fixture.ts';
import { eventually } from '../../test/eventually.ts';
import { settled } from '../../test/virtual-clock.ts';
import { Channel } from './channel.ts';
import { fromIterable } from './iterable-source.ts';
import type { Request } from './reconciler.ts';
import type { EnqueueOptions } from './source.ts';

function setUp() {
  const seen: string[] = [];
  return { seen, ...controllerFixture(async ({ name }) => void seen.push(name)) };
}

describe('Channel', () => {
  test('objects that are pushed before the start wait for it, each once; later ones arrive at once', async () => {
    const { controller, seen, start } = setUp();
    const channel = new Channel();
    for (const name of ['a', 'b', 'a']) expect(channel.push({ name })).toBe(true);
    controller.watch(channel);
    start();
    await eventually(() => seen.length === 2);
    channel.push({ name: 'c' }, { priority: 3 });
    await eventually(() => seen.length === 3);
    expect(seen).toEqual(['a', 'b', 'c']);
  });

  test('of several pushes for one object before the start, the earliest and the highest priority count', async () => {
    const { controller, delays, seen, start } = setUp();
    const channel = new Channel();
    channel.push({ name: 'first' }, { priority: 1 });
    channel.push({ name: 'urgent' }, { priority: 2 });
    channel.push({ name: 'urgent' }, { priority: -1, after: '1h' });
    channel.push({ name: 'later' }, { after: 2000 });
    channel.push({ name: 'later' }, { after: '1s' });
    controller.watch(channel);
    start();
    await eventually(() => seen.length === 2);
    expect(seen).toEqual(['urgent', 'first']);
    expect(delays()).toEqual([1000]);
  });

  test.each<[string, Request, EnqueueOptions, string]>([
    ['without a name', {} as Request, {}, 'no name'],
    ['with a delay that is none', { name: 'a' }, { after: NaN }, 'NaN is not a duration'],
    ['with a priority that is none', { name: 'a' }, { priority: NaN }, 'The priority is NaN'],
  ])(
    'a request %s is refused when it is pushed, also before the start',
    async (_, request, options, message) => {
      const { controller, seen, start } = setUp();
      const channel = new Channel();
      expect(() => channel.push(request, options)).toThrow(message);
      const valid = { name: 'valid' };
      channel.push(valid);
      valid.name = 'changed';
      controller.watch(channel);
      start();
      await eventually(() => seen.length === 1);
      expect(() => channel.push(request, options)).toThrow(message);
      expect(seen).toEqual(['valid']);
    },
  );

  test('the number of waiting objects is limited', async () => {
    const { controller, seen, start } = setUp();
    const channel = new Channel({ capacity: 2 });
    expect(['a', 'b', 'c', 'a'].map((name) => channel.push({ name }))).toEqual([true, true, false, true]);
    controller.watch(channel);
    start();
    await eventually(() => seen.length === 2);
    for (const name of ['d', 'e', 'f']) expect(channel.push({ name })).toBe(true);
    await eventually(() => seen.length === 5);
  });

  test('objects that are pushed before the close arrive; later ones are refused', async () => {
    const { controller, seen, start } = setUp();
    const channel = new Channel();
    channel.push({ name: 'a' });
    channel.close();
    expect(channel.push({ name: 'b' })).toBe(false);
    controller.watch(channel);
    start();
    await eventually(() => seen.length === 1);
    await settled();
    expect(seen).toEqual(['a']);
  });

  test('pushes are refused after the controller has stopped', async () => {
    const { controller, start } = setUp();
    const channel = new Channel();
    controller.watch(channel);
    const { stop } = start();
    await settled();
    await stop();
    expect(channel.push({ name: 'a' })).toBe(false);
  });

  test('belongs to one controller', async () => {
    const channel = new Channel({ name: 'prices' });
    const [first, second] = [setUp(), setUp()];
    for (const { controller } of [first, second]) controller.watch(channel);
    first.start();
    await expect(second.start().run).rejects.toThrow('Two controllers watch the channel prices');
  });
});

describe('fromIterable', () => {
  test('its requests arrive until it ends, which is not an error', async () => {
    const { controller, logged, seen, start } = setUp();
    controller.watch(
      fromIterable('numbers', async function* () {
        for (const name of ['a', 'b']) yield { name };
      }),
    );
    start();
    await eventually(() => seen.length === 2);
    await eventually(() => logged('info').length === 1);
    expect(logged('info')[0]).toMatchObject({ source: 'numbers', msg: 'source ended' });
  });

  test('the controller starts although it never ends; it receives the abort, and may then throw', async () => {
    const { controller, logged, seen, start } = setUp();
    let ended = false;
    controller.watch(
      fromIterable('waiting', async function* (signal) {
        yield { name: 'a' };
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        ended = true;
        throw signal.reason;
      }),
    );
    const { stop } = start();
    await eventually(() => seen.length === 1);
    await stop();
    await eventually(() => ended);
    await settled();
    expect(logged('error')).toEqual([]);
  });

  test('is reopened after a failure, with growing delays until it delivers something', async () => {
    const { clock, controller, delays, logged, seen, start } = setUp();
    let opened = 0;
    controller.watch(
      fromIterable('flaky', async function* () {
        opened += 1;
        if (opened === 4) yield { name: 'a' };
        throw new Error(`failure ${opened}`);
      }),
    );
    start();
    for (const delay of [1000, 2000, 4000, 1000]) {
      await eventually(() => delays()[0] === delay);
      await clock.advance(delay);
    }
    expect(seen).toEqual(['a']);
    expect(logged('error')[0]).toMatchObject({ source: 'flaky', err: { message: 'failure 1' } });
  });

  test('a request without a name is a failure of the source, not of the process', async () => {
    const { controller, logged, start } = setUp();
    controller.watch(
      fromIterable('bad', async function* () {
        yield {} as Request;
      }),
    );
    start();
    await eventually(() => logged('error').length === 1);
    expect(logged('error')[0]).toMatchObject({ source: 'bad', err: { message: 'A request has no name' } });
  });
});
