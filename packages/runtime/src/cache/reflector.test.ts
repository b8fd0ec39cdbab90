import { describe, expect, test } from 'vitest';
import { eventually } from '../../test/eventually.ts';
import {
  answerList,
  bookmark,
  event,
  object,
  openWatch,
  passBackoff,
  refuse,
  run,
} from '../../test/informer-fixture.ts';
import { type Exchange, json, status } from '../../test/scripted-server.ts';

const replaced = { ...status(410, 'Expired', 'too old'), details: { retryAfterSeconds: 0 } };
const expired = event('ERROR', status(410, 'Expired', 'too old resource version'));

describe('listing', () => {
  test('pages, fills in the kind, and watches from there with bookmarks', async () => {
    const fixture = await run({
      list: [answerList([object('a', 1)], 10, 'more'), answerList([object('b', 2)], 10)],
    });
    await fixture.informer.synced;
    expect(fixture.log).toEqual(['added a@1', 'added b@2']);
    expect(fixture.informer.get({ name: 'a', namespace: 'default' })).toMatchObject({
      apiVersion: 'example.com/v1',
      kind: 'Thing',
    });
    await eventually(() => fixture.watches().length === 1);
    const pages = fixture.lists().map(({ query }) => Object.fromEntries(query));
    expect(pages).toEqual([{ limit: '500' }, { limit: '5000', continue: 'more' }]);
    const watch = Object.fromEntries(fixture.watches()[0]!.query);
    expect(watch).toMatchObject({ watch: 'true', allowWatchBookmarks: 'true', resourceVersion: '10' });
    expect(Number(watch['timeoutSeconds'])).toBeGreaterThanOrEqual(300);
    expect(Number(watch['timeoutSeconds'])).toBeLessThanOrEqual(600);
  });

  test('keeps trying until the kind exists, and says why it waits', async () => {
    const fixture = await run({
      list: [refuse(404, 'NotFound'), refuse(403, 'Forbidden'), answerList([object('a', 1)])],
    });
    await eventually(() => fixture.informer.problems[0]!.includes('not installed'));
    expect(fixture.informer.problems).toEqual(['Thing (example.com/v1) is not installed']);
    expect(fixture.informer.isSynced).toBe(false);
    await passBackoff(fixture);
    await eventually(() => fixture.lists().length === 2);
    await passBackoff(fixture);
    await fixture.informer.synced;
    expect(fixture.informer.problems).toEqual([]);
  });

  test('a permission that is granted late is found within ten seconds', async () => {
    const fixture = await run({ list: [refuse(403, 'Forbidden')] });
    for (let attempt = 1; attempt <= 12; attempt += 1) {
      await eventually(() => fixture.lists().length === attempt);
      expect(await passBackoff(fixture)).toBeLessThanOrEqual(10_000);
    }
  });

  test('a page token that expires makes the next list come in one piece', async () => {
    const fixture = await run({
      list: [answerList([object('a', 1)], 10, 'more'), refuse(410, 'Expired'), answerList([object('b', 2)])],
    });
    await eventually(() => fixture.lists().length === 2);
    await passBackoff(fixture);
    await fixture.informer.synced;
    expect(fixture.log).toEqual(['added b@2']);
    expect(fixture.lists()[2]!.query.get('limit')).toBeNull();
  });

  test('retries are spaced further and further apart', async () => {
    const fixture = await run({ list: [refuse(500, 'InternalError')] });
    const delays: number[] = [];
    for (let failure = 1; failure <= 10; failure += 1) {
      await eventually(() => fixture.lists().length === failure);
      delays.push(await passBackoff(fixture));
    }
    expect(delays[0]).toBeGreaterThanOrEqual(200);
    expect(delays.at(-1)).toBeGreaterThanOrEqual(15_000);
    expect(delays.at(-1)).toBeLessThanOrEqual(30_000);
  });
});

describe('watching', () => {
  test.each(['reset', 'cut'] as const)(
    'reports what happens, and goes on after a %s where bookmarks are',
    async (end) => {
      const fixture = await run({
        list: [answerList([object('a', 1)])],
        watch: [
          openWatch(
            event('ADDED', object('b', 11)) +
              event('MODIFIED', object('a', 12)) +
              event('DELETED', object('b', 13)) +
              bookmark(20) +
              event('ADDED', object('half', 21)).slice(0, 40),
            end,
          ),
          openWatch(),
        ],
      });
      await eventually(() => fixture.log.length === 4);
      expect(fixture.log).toEqual(['added a@1', 'added b@11', 'updated a@12', 'deleted b@13']);
      await passBackoff(fixture);
      await eventually(() => fixture.watches().length === 2);
      expect(fixture.watches()[1]!.query.get('resourceVersion')).toBe('20');
      expect(fixture.lists()).toHaveLength(1);
    },
  );

  test('a large line with multibyte characters can be split anywhere', async () => {
    const big = object('big', 11);
    big.spec.text = '日本語 🚀 ñ'.repeat(60_000);
    const bytes = Buffer.from(event('ADDED', big) + event('ADDED', object('next', 12)));
    const fixture = await run({
      watch: [
        ({ response }) => {
          response.writeHead(200, { 'content-type': 'application/json' });
          for (let start = 0; start < bytes.length; start += 7919)
            response.write(bytes.subarray(start, start + 7919));
        },
      ],
    });
    await eventually(() => fixture.log.length === 2);
    expect(fixture.informer.get({ name: 'big', namespace: 'default' })?.spec.text).toBe(big.spec.text);
  });

  test('a watch that ends normally is reopened at once from the last event', async () => {
    const fixture = await run({ watch: [openWatch(event('ADDED', object('a', 11))), openWatch()] });
    await eventually(() => fixture.log.length === 1);
    await fixture.clock.advance(300_000);
    fixture.watches()[0]!.response.end();
    await eventually(() => fixture.watches().length === 2);
    expect(fixture.watches()[1]!.query.get('resourceVersion')).toBe('11');
  });

  test.each([
    ['are empty', ''],
    ['have but a bookmark', bookmark(15)],
  ])('watches that end at once and %s do not make a hot loop', async (_, content) => {
    const fixture = await run({ watch: [openWatch(content, 'finish')] });
    for (let round = 1; round <= 5; round += 1) {
      await eventually(() => fixture.watches().length === round);
      await passBackoff(fixture);
    }
    expect(fixture.lists()).toHaveLength(1);
  });

  test.each([
    ['410 for the watch', refuse(410, 'Expired')],
    ['an ERROR event with 410', openWatch(expired)],
  ])('%s makes it list again and report what was missed', async (_, watch) => {
    const fixture = await run({
      list: [
        answerList([object('stays', 1), object('goes', 2), object('again', 3, 'first')]),
        answerList([object('stays', 1), object('comes', 21), object('again', 22, 'second')], 30),
      ],
      watch: [watch, openWatch()],
    });
    await fixture.informer.synced;
    fixture.log.length = 0;
    await passBackoff(fixture);
    await eventually(() => fixture.watches().length === 2);
    expect(fixture.log).toEqual(['added comes@21', 'deleted again@3', 'added again@22', 'deleted goes@2']);
    expect(fixture.watches()[1]!.query.get('resourceVersion')).toBe('30');
  });

  test.each([
    ['has delivered a change', event('ADDED', object('a', 11)), 0],
    ['has been open for a second', '', 1000],
  ])('a watch that expires when it %s is followed by a list at once', async (_, delivered, open) => {
    const fixture = await run({ watch: [openWatch(delivered), openWatch()] });
    await eventually(() => fixture.log.length === (delivered ? 1 : 0));
    // How long it may be silent, from when it is open.
    await eventually(() => fixture.clock.delays.some((delay) => delay >= 300_000));
    await fixture.clock.advance(open);
    fixture.watches()[0]!.response.write(expired);
    await eventually(() => fixture.watches().length === 2);
    expect(fixture.lists()).toHaveLength(2);
  });

  test.each([
    ['an ERROR event', openWatch(event('ERROR', replaced))],
    ['the response', ({ response }: Exchange) => json(response, 410, replaced)],
  ])('a server that asks for a list in %s gets it at once, however often', async (_, watch) => {
    const fixture = await run({ watch: [...Array.from({ length: 15 }, () => watch), openWatch()] });
    await eventually(() => fixture.watches().length === 16);
    expect(fixture.lists()).toHaveLength(16);
  });

  test('watches that all expire soon after a change do not make a hot loop', async () => {
    const fixture = await run({ watch: [openWatch(event('ADDED', object('a', 11)) + expired)] });
    await eventually(() => fixture.watches().length === 11);
    expect(await passBackoff(fixture)).toBeGreaterThanOrEqual(15_000);
    await eventually(() => fixture.lists().length === 12);
  });

  test('after a 429 it waits as long as the server asks, and does not relist', async () => {
    const fixture = await run({
      watch: [refuse(429, 'TooManyRequests', { 'retry-after': '7' }), openWatch()],
    });
    await eventually(() => fixture.clock.delays.includes(7000));
    await fixture.clock.advance(7000);
    await eventually(() => fixture.watches().length === 2);
    expect(fixture.lists()).toHaveLength(1);
  });

  test('a server that asks for an hour is retried after a minute', async () => {
    const fixture = await run({
      watch: [refuse(429, 'TooManyRequests', { 'retry-after': '3600' }), openWatch()],
    });
    // A list, too, may take as long.
    await eventually(() => fixture.watches().length === 1 && fixture.clock.delays.includes(60_000));
    await fixture.clock.advance(60_000);
    await eventually(() => fixture.watches().length === 2);
    expect(fixture.lists()).toHaveLength(1);
  });

  test('after an ERROR event with 500 it resumes the watch from the last event', async () => {
    const error = event('ERROR', status(500, 'InternalError'));
    const fixture = await run({ watch: [openWatch(event('ADDED', object('a', 11)) + error), openWatch()] });
    await passBackoff(fixture);
    await eventually(() => fixture.watches().length === 2);
    expect(fixture.watches()[1]!.query.get('resourceVersion')).toBe('11');
    expect(fixture.lists()).toHaveLength(1);
  });

  test('without events for a minute after that it relists: the server may be stuck at an old event', async () => {
    const fixture = await run({
      list: [answerList([object('a', 1)]), answerList([object('a', 1), object('b', 11)], 12)],
      watch: [openWatch(event('ERROR', status(500, 'InternalError')))],
    });
    await fixture.informer.synced;
    let passed = 0;
    while (fixture.log.length === 1) {
      const { length } = fixture.watches();
      passed += await passBackoff(fixture);
      await eventually(() => fixture.watches().length > length);
    }
    expect(passed).toBeGreaterThanOrEqual(60_000);
    expect(passed).toBeLessThanOrEqual(120_000);
    expect(fixture.lists()).toHaveLength(2);
    expect(fixture.watches().at(-1)!.query.get('resourceVersion')).toBe('12');
  });

  test('a relist finds the deletion of an object that the server could not decode', async () => {
    const fixture = await run({
      list: [answerList([object('a', 1), object('corrupt', 2)]), answerList([object('a', 1)], 30)],
      watch: [openWatch(event('ERROR', status(500, 'StorageReadError'))), openWatch()],
    });
    await passBackoff(fixture);
    await eventually(() => fixture.watches().length === 2);
    expect(fixture.log).toEqual(['added a@1', 'added corrupt@2', 'deleted corrupt@2']);
    expect(fixture.watches()[1]!.query.get('resourceVersion')).toBe('30');
  });

  test('after a connection breaks before the response, it resumes from the same version', async () => {
    const fixture = await run({ watch: [({ response }) => response.destroy(), openWatch()] });
    await passBackoff(fixture);
    await eventually(() => fixture.watches().length === 2);
    expect(fixture.watches()[1]!.query.get('resourceVersion')).toBe('10');
    expect(fixture.lists()).toHaveLength(1);
  });

  test.each([
    ['no JSON', '{"type":"ADDED","object":{"kind"\n'],
    ['no event', '{"hello":"world"}\n'],
    ['an event of an unknown type', event('MOVED', object('b', 12))],
    ['null', 'null\n'],
  ])('a line that is %s is not skipped: the watch starts over from the last event', async (_, garbage) => {
    const fixture = await run({
      watch: [
        openWatch(event('ADDED', object('a', 11)) + garbage + event('ADDED', object('lost', 13))),
        openWatch(event('ADDED', object('b', 12)) + event('ADDED', object('lost', 13))),
      ],
    });
    await passBackoff(fixture);
    await eventually(() => fixture.log.length === 3);
    expect(fixture.log).toEqual(['added a@11', 'added b@12', 'added lost@13']);
    expect(fixture.watches()[1]!.query.get('resourceVersion')).toBe('11');
  });

  test('after access was revoked it relists, since its state may be stale', async () => {
    const fixture = await run({ watch: [refuse(403, 'Forbidden'), openWatch()] });
    await passBackoff(fixture);
    await eventually(() => fixture.lists().length === 2);
    expect(fixture.watches()).toHaveLength(1);
  });

  test('a watch with bookmarks that falls silent is closed after 90 s', async () => {
    const fixture = await run({ watch: [openWatch(bookmark(15)), openWatch()] });
    await eventually(() => fixture.clock.delays.includes(90_000));
    await fixture.clock.advance(89_999);
    expect(fixture.watches()).toHaveLength(1);
    await fixture.clock.advance(1);
    await passBackoff(fixture);
    await eventually(() => fixture.watches().length === 2);
    expect(fixture.watches()[1]!.query.get('resourceVersion')).toBe('15');
    // Known from the first watch: the next one is expected to have bookmarks as well.
    await eventually(() => fixture.clock.delays.includes(90_000));
  });

  test('a watch that never delivered even a bookmark is not trusted, so a list follows', async () => {
    const fixture = await run({
      list: [answerList([object('a', 9)], 10), answerList([object('b', 3)], 5)],
      watch: [openWatch(bookmark(15), 'cut'), openWatch()],
    });
    await passBackoff(fixture);
    await eventually(() => fixture.clock.delays.includes(90_000));
    await fixture.clock.advance(90_000);
    await passBackoff(fixture);
    await eventually(() => fixture.watches().length === 3);
    expect(fixture.watches().map(({ query }) => query.get('resourceVersion'))).toEqual(['10', '15', '5']);
    expect(fixture.log).toEqual(['added a@9', 'added b@3', 'deleted a@9']);
    // Nor are bookmarks expected of a server that has sent none.
    expect(fixture.clock.delays).not.toContain(90_000);
  });

  test('every sign of life postpones the end of a silent watch', async () => {
    let watch: Exchange['response'] | undefined;
    const fixture = await run({
      watch: [
        ({ response }) => {
          watch = response.writeHead(200);
          watch.write(bookmark(15));
        },
      ],
    });
    await eventually(() => fixture.clock.delays.includes(90_000));
    for (let minute = 1; minute <= 5; minute += 1) {
      await fixture.clock.advance(60_000);
      watch?.write(event('ADDED', object(`a${minute}`, 15 + minute)));
      await eventually(() => fixture.log.length === minute);
    }
    expect(fixture.watches()).toHaveLength(1);
  });

  test('a watch without bookmarks may be silent for its whole timeout', async () => {
    const fixture = await run({ watch: [openWatch()] });
    await eventually(() => fixture.watches().length === 1);
    const seconds = Number(fixture.watches()[0]!.query.get('timeoutSeconds'));
    await eventually(() => fixture.clock.delays.includes((seconds + 5) * 1000));
    await fixture.clock.advance((seconds + 5) * 1000 - 1);
    expect(fixture.watches()).toHaveLength(1);
    await fixture.clock.advance(1);
    await passBackoff(fixture);
    await eventually(() => fixture.watches().length === 2);
  });

  test('a watch without a response is aborted after 30 s', async () => {
    const fixture = await run({ watch: [() => {}, openWatch()] });
    await eventually(() => fixture.watches().length === 1 && fixture.clock.delays.includes(30_000));
    await fixture.clock.advance(30_000);
    await passBackoff(fixture);
    await eventually(() => fixture.watches().length === 2);
    expect(fixture.lists()).toHaveLength(1);
  });

  test('a rejection of an asynchronous handler does not affect the others', async () => {
    const fixture = await run({ list: [answerList([object('a', 1)])] });
    await fixture.informer.synced;
    const strays: unknown[] = [];
    const note = (error: unknown): void => void strays.push(error);
    process.on('unhandledRejection', note);
    fixture.informer.addHandler({
      // oxlint-disable-next-line typescript/no-misused-promises -- that is the point
      added: async () => Promise.reject(new Error('handler')),
      updated: () => {},
      deleted: () => {},
    });
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', note);
    expect(strays).toEqual([]);
  });

  test('a handler that throws does not stop the others', async () => {
    const fixture = await run({ list: [answerList([object('a', 1)])] });
    await fixture.informer.synced;
    const log: string[] = [];
    fixture.informer.addHandler({
      added: () => {
        throw new Error('handler');
      },
      updated: () => {},
      deleted: () => {},
    });
    fixture.informer.addHandler({
      added: ({ metadata }) => log.push(metadata.name!),
      updated() {},
      deleted() {},
    });
    expect(log).toEqual(['a']);
  });
});
