import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { controllerFixture } from '../../test/controller-fixture.ts';
import { eventually } from '../../test/eventually.ts';
import { settled } from '../../test/virtual-clock.ts';
import { containRejections } from './contain-rejections.ts';
import { runInContext } from './work-context.ts';

const events = ['unhandledRejection', 'uncaughtException'] as const;
const before = events.map((event) => process.listeners(event as 'uncaughtException'));
/** What Node would have ended the process for. */
let fatal: string[] = [];
/** The rejections that were reported to the work. */
let inner: string[] = [];
const record = (error: unknown, origin: string): void => void fatal.push(`${String(error)} (${origin})`);

beforeEach(() => {
  // The test runner listens as well: without it, a process is as it is in production.
  for (const event of events) process.removeAllListeners(event);
  process.on('uncaughtException', record);
  fatal = [];
});

afterEach(() => {
  for (const [index, event] of events.entries()) {
    process.removeAllListeners(event);
    for (const listener of before[index]!) process.on(event as 'uncaughtException', listener);
  }
});

function contain(): void {
  const containment = containRejections();
  onTestFinished(() => containment[Symbol.dispose]());
}

function reject(message: string): void {
  void Promise.reject(new Error(message));
}

describe('containRejections', () => {
  test.each([
    ['at once', () => reject('stray')],
    [
      'after some time',
      () => {
        setImmediate(() => reject('stray'));
      },
    ],
    [
      'in a function that is not awaited',
      () => {
        void (async () => {
          await settled();
          throw new Error('stray');
        })();
      },
    ],
    [
      'in work inside of the work',
      () => runInContext({ onStrayRejection: (e) => inner.push(String(e)) }, () => reject('stray')),
    ],
  ])('a rejection %s is reported to the work that it belongs to', async (_, work) => {
    inner = [];
    contain();
    runInContext({ onStrayRejection: (error) => inner.push(String(error)) }, work);
    await eventually(() => inner.length === 1);
    await settled();
    expect([inner, fatal]).toEqual([['Error: stray'], []]);
  });

  test.each([
    ['outside of any work', () => reject('foreign')],
    ['in work that does not contain them', () => runInContext({}, () => reject('foreign'))],
  ])('a rejection %s ends the process, as it does without containment', async (_, work) => {
    contain();
    work();
    await eventually(() => fatal.length === 1);
    expect(fatal).toEqual(['Error: foreign (unhandledRejection)']);
    // And so does the next one.
    await settled();
    work();
    await eventually(() => fatal.length === 2);
  });

  test('a rejection is left to other listeners', async () => {
    const seen: unknown[] = [];
    process.on('unhandledRejection', (error) => seen.push(String(error)));
    contain();
    reject('foreign');
    await eventually(() => seen.length === 1);
    expect(fatal).toEqual([]);
  });

  test('a rejection that is handled late, but in the same turn, is not stray', async () => {
    inner = [];
    contain();
    runInContext({ onStrayRejection: (error) => inner.push(String(error)) }, () => {
      const promise = Promise.reject(new Error('handled'));
      queueMicrotask(() => void promise.catch(() => {}));
    });
    await settled();
    expect(inner).toEqual([]);
  });

  test('no listener exists before the first and after the last user', () => {
    const count = (): number => process.listenerCount('unhandledRejection');
    const one = containRejections();
    const two = containRejections();
    expect(count()).toBe(1);
    one[Symbol.dispose]();
    one[Symbol.dispose]();
    expect(count()).toBe(1);
    two[Symbol.dispose]();
    expect(count()).toBe(0);
  });
});

test('a controller survives a stray rejection of its reconciler: logged with the reconcile, counted as a panic', async () => {
  const { controller, logged, start, observed } = controllerFixture(async () => {
    setImmediate(() => reject('not awaited'));
  });
  start();
  controller.enqueue({ name: 'a' });
  await eventually(() => logged('error').length === 1);
  expect(logged('error')[0]).toMatchObject({
    controller: 'test',
    name: 'a',
    reconcileId: expect.any(String) as string,
    err: { message: 'not awaited' },
  });
  expect(observed).toEqual(['started', 'success in 0 s', 'failed: panic']);
  expect(fatal).toEqual([]);
});

test('a controller survives a stray rejection of a source, even before the first reconcile', async () => {
  const { controller, logged, start } = controllerFixture(async () => {});
  controller.watch({
    name: 'careless',
    start: () => {
      reject('not awaited');
      return new Promise(() => {});
    },
  });
  const { stop } = start();
  await eventually(() => logged('error').length + fatal.length === 1);
  expect(fatal).toEqual([]);
  expect(logged('error')[0]).toMatchObject({ source: 'careless', err: { message: 'not awaited' } });
  await stop();
  expect(process.listenerCount('unhandledRejection')).toBe(0);
});
