import { describe, expect, test } from 'vitest';
import { eventually } from '../../test/eventually.ts';
import {
  type Fixture,
  answerList,
  bookmark,
  event,
  object,
  openWatch,
  passBackoff,
  refuse,
  run,
} from '../../test/informer-fixture.ts';
import { type Exchange, status } from '../../test/scripted-server.ts';

type Script = (exchange: Exchange) => void;

const end = (resourceVersion: number, isEnd = 'true'): string =>
  event('BOOKMARK', {
    metadata: {
      resourceVersion: String(resourceVersion),
      annotations: { 'k8s.io/initial-events-end': isEnd },
    },
  });
const initial = event('ADDED', object('a', 3)) + event('ADDED', object('b', 2));

function stream(watch: Script[], list: Script[] = [answerList([object('listed', 5)], 9)]): Promise<Fixture> {
  return run({ list, watch, options: { watchList: true } });
}

const isStream = ({ query }: Exchange): boolean => query.get('sendInitialEvents') === 'true';
const kinds = (fixture: Fixture): string[] =>
  fixture.server.exchanges.map((exchange) =>
    isStream(exchange) ? 'stream' : exchange.query.has('watch') ? 'watch' : 'list',
  );

describe('the initial state as a stream', () => {
  test('is complete at the bookmark that says so, and the watch continues in the same stream', async () => {
    let response: Exchange['response'] | undefined;
    const fixture = await stream([
      (exchange) => {
        response = exchange.response;
        const changes = event('DELETED', object('b', 8)) + event('MODIFIED', object('a', 9));
        openWatch(initial + bookmark(6) + end(7, 'false') + changes)(exchange);
      },
      openWatch(),
    ]);
    await eventually(() => response !== undefined && fixture.clock.delays.includes(60_000));
    expect(fixture.informer.isSynced).toBe(false);
    expect(fixture.log).toEqual([]);
    response!.write(end(10));
    await fixture.informer.synced;
    expect(fixture.log).toEqual(['added a@9']);
    response!.write(event('MODIFIED', object('a', 11)));
    await eventually(() => fixture.log.length === 2);
    expect(Object.fromEntries(fixture.watches()[0]!.query)).toMatchObject({
      sendInitialEvents: 'true',
      resourceVersionMatch: 'NotOlderThan',
      allowWatchBookmarks: 'true',
    });
    expect(fixture.watches()[0]!.query.get('resourceVersion')).toBeNull();
    response!.destroy();
    await passBackoff(fixture);
    await eventually(() => fixture.watches().length === 2);
    expect(fixture.watches()[1]!.query.get('resourceVersion')).toBe('11');
    expect(kinds(fixture)).toEqual(['stream', 'watch']);
  });

  test.each<[string, Script]>([
    ['breaks off', openWatch(initial, 'cut')],
    ['expires', openWatch(initial + event('ERROR', status(410, 'Expired')))],
    ['fails', openWatch(initial + event('ERROR', status(500, 'InternalError')))],
    ['ends', openWatch(initial, 'finish')],
    ['is refused for now', refuse(429, 'TooManyRequests')],
  ])('starts over when it %s', async (_, script) => {
    const fixture = await stream([script, openWatch(event('ADDED', object('c', 7)) + end(12)), openWatch()]);
    await passBackoff(fixture);
    await fixture.informer.synced;
    expect(fixture.log).toEqual(['added c@7']);
    expect(kinds(fixture)).toEqual(['stream', 'stream']);
  });

  test.each([
    [422, 'Invalid'],
    [400, 'BadRequest'],
    [405, 'MethodNotAllowed'],
  ])('is listed instead where the server says %i, also later on', async (code, reason) => {
    const fixture = await stream([
      refuse(code, reason),
      openWatch(event('ERROR', status(410, 'Expired'))),
      openWatch(),
    ]);
    await passBackoff(fixture);
    await fixture.informer.synced;
    expect(fixture.log).toEqual(['added listed@5']);
    await passBackoff(fixture);
    await eventually(() => fixture.lists().length === 2);
    expect(kinds(fixture).slice(0, 4)).toEqual(['stream', 'list', 'watch', 'list']);
  });

  test('is listed instead when it is not complete within a minute, also later on', async () => {
    const fixture = await stream([
      openWatch(initial),
      openWatch(event('ERROR', status(410, 'Expired'))),
      openWatch(),
    ]);
    await eventually(() => fixture.clock.delays.includes(60_000));
    await fixture.clock.advance(60_000);
    await passBackoff(fixture);
    await fixture.informer.synced;
    expect(fixture.log).toEqual(['added listed@5']);
    await passBackoff(fixture);
    await eventually(() => fixture.lists().length === 2);
    expect(kinds(fixture).slice(0, 4)).toEqual(['stream', 'list', 'watch', 'list']);
  });

  test('that keeps breaking off has one minute for all attempts together', async () => {
    const fixture = await stream([openWatch(initial), openWatch(initial), openWatch()]);
    await eventually(() => fixture.clock.delays.includes(60_000));
    await fixture.clock.advance(50_000);
    fixture.watches()[0]!.response.destroy();
    await eventually(() => !fixture.clock.delays.includes(10_000));
    const backoff = await passBackoff(fixture);
    await eventually(() => fixture.clock.delays.includes(10_000 - backoff));
    await fixture.clock.advance(10_000 - backoff);
    await passBackoff(fixture);
    await fixture.informer.synced;
    expect(kinds(fixture).slice(0, 3)).toEqual(['stream', 'stream', 'list']);
  });

  test('is repeated when the version of the watch has expired, and finds what was missed', async () => {
    const fixture = await stream([
      openWatch(initial + end(10) + event('ERROR', status(410, 'Expired'))),
      openWatch(event('ADDED', object('a', 3)) + event('ADDED', object('c', 12)) + end(15)),
      openWatch(),
    ]);
    await passBackoff(fixture);
    await eventually(() => fixture.log.length === 4);
    expect(fixture.log).toEqual(['added a@3', 'added b@2', 'added c@12', 'deleted b@2']);
    expect(kinds(fixture)).toEqual(['stream', 'stream']);
  });
});
