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
import { ModelServer } from '../../test/model-server.ts';
import { status } from '../../test/scripted-server.ts';
import { Thing } from '../../test/thing.ts';
import { VirtualClock } from '../../test/virtual-clock.ts';
import { createLogger } from '../logging/create-logger.ts';
import type { InformerHandler } from './informer-handler.ts';
import { Informer } from './informer.ts';
import { withoutManagedFields } from './informer-options.ts';
import { wholeCluster } from './namespace-feed.ts';

const a = { name: 'a', namespace: 'default' };

/** Records its calls, with the details. */
function recorder(): { handler: InformerHandler<Thing>; log: string[] } {
  const log: string[] = [];
  const handler: InformerHandler<Thing> = {
    added: ({ metadata }, { isInitial }) => log.push(`added ${metadata.uid}${isInitial ? ' at first' : ''}`),
    updated: (before, { metadata }) =>
      log.push(`updated ${metadata.uid} ${before.metadata.resourceVersion}-${metadata.resourceVersion}`),
    deleted: ({ metadata }, { finalStateUnknown }) =>
      log.push(`deleted ${metadata.uid}@${metadata.resourceVersion}${finalStateUnknown ? ' unseen' : ''}`),
  };
  return { handler, log };
}

describe('handlers', () => {
  test('receive the initial objects, later events, and deletions that can only be inferred', async () => {
    const fixture = await run({
      list: [
        answerList([object('a', 1), object('b', 2, 'b1'), object('c', 3)]),
        answerList([object('a', 1), object('b', 21, 'b2')], 30),
      ],
      watch: [
        openWatch(
          event('ADDED', object('d', 11)) +
            event('DELETED', object('d', 12)) +
            event('ERROR', status(410, 'Expired')),
        ),
        openWatch(event('ADDED', object('a', 31, 'a2')) + event('DELETED', object('b', 32, 'b3'))),
      ],
    });
    const { handler, log } = recorder();
    fixture.informer.addHandler(handler);
    await eventually(() => log.length === 11);
    expect(log).toEqual([
      'added a at first',
      'added b1 at first',
      'added c at first',
      'added d',
      'deleted d@12',
      'deleted b1@2 unseen',
      'added b2',
      'deleted c@3 unseen',
      'deleted a@1 unseen',
      'added a2',
      'deleted b2@21 unseen',
    ]);
  });

  test('see a store that is as new as the event, and never half a list', async () => {
    const fixture = await run({
      list: [answerList([object('a', 1), object('b', 2)])],
      watch: [openWatch(event('DELETED', object('a', 11)))],
    });
    const seen: unknown[] = [];
    const size = (): number => fixture.informer.list().length;
    fixture.informer.addHandler({
      added: () => seen.push(size()),
      updated: () => {},
      deleted: ({ metadata }) => seen.push(fixture.informer.get({ ...a, name: metadata.name! })),
    });
    await eventually(() => seen.length === 3);
    expect(seen).toEqual([2, 2, undefined]);
  });

  test('that are added late receive the existing objects, and a removed one receives nothing more', async () => {
    let send!: (text: string) => void;
    const fixture = await run({
      list: [answerList([object('a', 1)])],
      watch: [
        (exchange) => {
          openWatch()(exchange);
          send = (text) => void exchange.response.write(text);
        },
      ],
    });
    await fixture.informer.synced;
    const early = recorder();
    const registration = fixture.informer.addHandler(early.handler);
    expect(early.log).toEqual(['added a at first']);
    await registration.synced;
    await eventually(() => fixture.watches().length === 1);
    send(event('ADDED', object('b', 11)));
    await eventually(() => early.log.length === 2);
    registration[Symbol.dispose]();
    const late = recorder();
    fixture.informer.addHandler(late.handler);
    send(event('MODIFIED', object('a', 12)));
    await eventually(() => late.log.length === 3);
    expect(early.log).toEqual(['added a at first', 'added b']);
    expect(late.log).toEqual(['added a at first', 'added b at first', 'updated a 1-12']);
  });

  test('are synced after all pages, or when they are removed', async () => {
    const fixture = await run({
      list: [answerList([object('a', 1)], 10, 'more'), () => {}],
    });
    const { handler, log } = recorder();
    const registration = fixture.informer.addHandler(handler);
    let isSynced = false;
    void registration.synced.then(() => (isSynced = true));
    await eventually(() => fixture.lists().length === 2);
    expect([isSynced, log]).toEqual([false, []]);
    answerList([object('b', 2)])(fixture.lists()[1]!);
    await registration.synced;
    expect(log).toEqual(['added a at first', 'added b at first']);

    const blocked = await run({ list: [() => {}] });
    const leaving = blocked.informer.addHandler(handler);
    leaving[Symbol.dispose]();
    await leaving.synced;
  });

  test('a handler can be added twice, and each registration ends separately', async () => {
    const fixture = await run({ list: [answerList([object('a', 1)])] });
    await fixture.informer.synced;
    const { handler, log } = recorder();
    fixture.informer.addHandler(handler)[Symbol.dispose]();
    fixture.informer.addHandler(handler);
    expect(log).toEqual(['added a at first', 'added a at first']);
  });
});

describe('transforms', () => {
  test('apply to listed, watched and written objects before any reader sees them', async () => {
    const fixture = await run({
      list: [answerList([object('a', 1)])],
      watch: [openWatch(event('MODIFIED', object('a', 11)) + event('DELETED', object('a', 12)))],
      options: { transform: (each) => ({ ...each, spec: { size: 7 } }) },
    });
    const sizes: number[] = [];
    fixture.informer.addHandler({
      added: ({ spec }) => sizes.push(spec.size),
      updated: (before, { spec }) => sizes.push(before.spec.size, spec.size),
      deleted: ({ spec }) => sizes.push(spec.size),
    });
    await eventually(() => sizes.length === 4);
    expect(sizes).toEqual([7, 7, 7, 7]);
    fixture.informer.wrote(object('a', 13));
    expect(fixture.informer.get(a)?.spec.size).toBe(7);
  });

  test.each([
    ['throws', () => JSON.parse('{')],
    ['returns nothing', () => undefined],
  ])('one that %s leaves the object as the server sent it', async (_, transform) => {
    const fixture = await run({ list: [answerList([object('a', 1)])], options: { transform } });
    await fixture.informer.synced;
    expect(fixture.informer.get(a)?.spec.size).toBe(1);
  });

  test('managedFields can be dropped; if kept, equal ones are shared', async () => {
    const managed = (name: string): Thing => {
      const made = object(name, 1);
      made.metadata.managedFields = [{ manager: 'm', fieldsV1: { 'f:spec': { 'f:size': {} } } }];
      return made;
    };
    const list = [answerList([managed('a'), managed('b')])];
    const without = await run({ list, options: { transform: withoutManagedFields } });
    await without.informer.synced;
    expect(without.informer.get(a)?.metadata).toEqual(object('a', 1).metadata);
    const kept = await run({ list });
    await kept.informer.synced;
    const [first, second] = kept.informer.list().map(({ metadata }) => metadata.managedFields![0]!.fieldsV1);
    expect(first).toEqual({ 'f:spec': { 'f:size': {} } });
    expect(second).toBe(first);
  });
});

/** On which every look at the time is long after the last. */
class HurriedClock extends VirtualClock {
  #looks = 0;

  override now(): number {
    this.#looks += 1;
    return super.now() + this.#looks * 20;
  }
}

describe('lists', () => {
  test('that are large let other work run in between, and late handlers receive every object once', async () => {
    const server = new ModelServer();
    for (let count = 0; count < 30; count += 1) server.put(`n${count}`);
    const informer = new Informer({
      transport: server.transport,
      kind: Thing,
      namespaces: () => wholeCluster,
      clock: new HurriedClock(),
      logger: createLogger({ level: 'silent' }),
    });
    const early = recorder();
    const late = recorder();
    let toldEarly: number | undefined;
    informer.addHandler({
      ...early.handler,
      added: (each, details) => {
        early.handler.added(each, details);
        if (early.log.length > 1) return;
        setImmediate(() => {
          toldEarly = early.log.length;
          informer.addHandler(late.handler);
        });
      },
    });
    const stop = new AbortController();
    const running = informer.run(stop.signal);
    await informer.synced;
    expect(toldEarly).toBeLessThan(30);
    expect(new Set(early.log).size).toBe(30);
    expect(late.log.toSorted()).toEqual(early.log.toSorted());
    stop.abort();
    await running;
  });

  test('that contain nothing new cost no memory and cause no events', async () => {
    const fixture = await run({
      list: [answerList([object('a', 1)]), answerList([object('a', 1)], 30)],
      watch: [openWatch(event('ERROR', status(410, 'Expired'))), openWatch()],
    });
    await fixture.informer.synced;
    const before = fixture.informer.get(a);
    await passBackoff(fixture);
    await eventually(() => fixture.watches().length === 2);
    expect(fixture.informer.get(a)).toBe(before);
    expect(fixture.log).toEqual(['added a@1']);
  });

  test('that fail on a later page start over, and show nothing of the first attempt', async () => {
    const fixture = await run({
      list: [
        answerList([object('a', 1)], 10, 'p2'),
        answerList([object('b', 1)], 10, 'p3'),
        refuse(500, 'InternalError'),
        answerList([object('c', 1)], 12),
      ],
    });
    await passBackoff(fixture);
    await fixture.informer.synced;
    expect(fixture.log).toEqual(['added c@1']);
    expect(fixture.lists().map(({ query }) => query.get('continue'))).toEqual([null, 'p2', 'p3', null]);
  });

  test('request as many objects per page as fit into some megabytes', async () => {
    const large = object('large', 1);
    large.spec.text = 'x'.repeat(40_000);
    const fixture = await run({
      list: [answerList([large], 10, 'p2'), answerList([], 10, 'p3'), answerList([object('a', 1)])],
    });
    await fixture.informer.synced;
    expect(fixture.lists().map(({ query }) => query.get('limit'))).toEqual(['500', '100', '100']);
  });

  test('in one piece return to pages when they fail, since they may be too large', async () => {
    const fixture = await run({
      list: [
        answerList([object('a', 1)], 10, 'p2'),
        refuse(410, 'Expired'),
        refuse(504, 'Timeout'),
        answerList([object('c', 1)], 12),
      ],
    });
    await passBackoff(fixture);
    await eventually(() => fixture.lists().length === 3);
    await passBackoff(fixture);
    await fixture.informer.synced;
    expect(fixture.lists().map(({ query }) => query.get('limit'))).toEqual(['500', '5000', null, '500']);
  });
});

describe('a watch', () => {
  test('never resumes from before its known version, whatever an old bookmark says', async () => {
    const fixture = await run({
      watch: [openWatch(event('ADDED', object('a', 11)) + bookmark(9) + bookmark(10), 'cut'), openWatch()],
    });
    await eventually(() => fixture.log.length === 1);
    await passBackoff(fixture);
    await eventually(() => fixture.watches().length === 2);
    expect(fixture.watches()[1]!.query.get('resourceVersion')).toBe('11');
  });

  test('that delivers an old event does not make an own write look new', async () => {
    const fixture = await run({
      list: [answerList([object('a', 9)])],
      watch: [openWatch(event('MODIFIED', object('a', 15)) + event('ADDED', object('b', 5)))],
    });
    await eventually(() => fixture.log.length === 3);
    fixture.informer.wrote(object('a', 12));
    expect(fixture.informer.get(a)?.metadata.resourceVersion).toBe('15');
  });

  test('that resumes after 10,000 deletions reports every one', async () => {
    const objects = Array.from({ length: 10_000 }, (_, index) => object(`a${index}`, index + 1));
    const fixture = await run({
      list: [answerList(objects, 10_000), answerList([], 20_000)],
      watch: [refuse(410, 'Expired'), openWatch()],
    });
    await fixture.informer.synced;
    await passBackoff(fixture);
    await eventually(() => fixture.log.length === 20_000);
    const gone = new Set(fixture.log.slice(10_000));
    expect(gone.size).toBe(10_000);
    expect([...gone].every((line) => line.startsWith('deleted'))).toBe(true);
    expect(fixture.informer.list()).toEqual([]);
  });

  test('gives way to a list if the server has lost the latest changes, and own writes are lost with them', async () => {
    const fixture = await run({
      list: [answerList([object('a', 9, 'first')], 10), answerList([object('a', 3, 'second')], 5)],
      watch: [openWatch(bookmark(11), 'cut'), openWatch()],
    });
    await passBackoff(fixture);
    await eventually(() => fixture.clock.delays.includes(90_000));
    fixture.informer.wrote(object('a', 12, 'first'));
    const seen = (): string | undefined =>
      fixture.informer.get({ name: 'a', namespace: 'default' })?.metadata.resourceVersion;
    expect(seen()).toBe('12');
    await fixture.clock.advance(90_000);
    await passBackoff(fixture);
    await eventually(() => fixture.lists().length === 2 && fixture.log.length === 3);
    expect(seen()).toBe('3');
  });

  test('that missed the whole life of an object that readers saw reports it after the next list', async () => {
    let expire!: () => void;
    const fixture = await run({
      list: [answerList([]), answerList([object('c', 13)], 20)],
      watch: [
        (exchange) => {
          openWatch()(exchange);
          expire = () => void exchange.response.write(event('ERROR', status(410, 'Expired')));
        },
        openWatch(),
      ],
    });
    await eventually(() => fixture.watches().length === 1);
    // The watch is late. Another client deletes the first, the operator the second, and the third stays.
    for (const [index, name] of ['a', 'b', 'c'].entries()) fixture.informer.wrote(object(name, 11 + index));
    fixture.informer.removed({ ...a, name: 'b' }, undefined);
    fixture.informer.wrote(object('d', 21));
    const { handler, log } = recorder();
    fixture.informer.addHandler(handler);
    expire();
    await passBackoff(fixture);
    await eventually(() => log.length === 5);
    expect(log).toEqual(['added c', 'added a', 'deleted a@11 unseen', 'added b', 'deleted b@12 unseen']);
    expect(fixture.informer.list().map(({ metadata }) => metadata.name)).toEqual(['c', 'd']);
  });

  test('from a version that this server has not reached gives way to a list', async () => {
    const details = {
      causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
    };
    const fixture = await run({
      list: [answerList([object('a', 1)]), answerList([object('a', 2)], 5)],
      watch: [openWatch(event('ERROR', { ...status(504, 'Timeout'), details })), openWatch()],
    });
    await passBackoff(fixture);
    await eventually(() => fixture.watches().length === 2);
    expect(fixture.log).toEqual(['added a@1', 'updated a@2']);
    expect(fixture.watches()[1]!.query.get('resourceVersion')).toBe('5');
  });

  test.each([
    [401, 'Unauthorized'],
    [500, 'InternalError'],
    [503, 'ServiceUnavailable'],
    [504, 'Timeout'],
  ])('that is refused with %i is opened again from the same version', async (code, reason) => {
    const fixture = await run({ watch: [refuse(code, reason), openWatch()] });
    await passBackoff(fixture);
    await eventually(() => fixture.watches().length === 2);
    expect(fixture.watches()[1]!.query.get('resourceVersion')).toBe('10');
    expect(fixture.lists()).toHaveLength(1);
  });
});

test('a handler can add and remove others: a new one receives each object once, a removed one nothing more', async () => {
  const fixture = await run({
    list: [answerList([])],
    watch: [openWatch(event('ADDED', object('a', 11)))],
  });
  const [late, gone] = [recorder(), recorder()];
  let removed: Disposable | undefined;
  fixture.informer.addHandler({
    added: () => {
      removed?.[Symbol.dispose]();
      fixture.informer.addHandler(late.handler);
    },
    updated: () => {},
    deleted: () => {},
  });
  removed = fixture.informer.addHandler(gone.handler);
  await eventually(() => late.log.length > 0);
  expect([late.log, gone.log]).toEqual([['added a at first'], []]);
});

test('null is an empty list for some servers', async () => {
  const { informer } = await run({ list: [answerList(null as never)] });
  await informer.synced;
  expect(informer.list()).toEqual([]);
});

describe('a kind that is not installed', () => {
  const appear = [refuse(404, 'NotFound'), refuse(404, 'NotFound'), answerList([object('a', 1)])];

  test('does not block readers when it is optional, and is watched when it appears', async () => {
    const fixture = await run({ list: appear, options: { optional: true } });
    const { handler, log } = recorder();
    fixture.informer.onExistenceChange(() => log.push(`exists: ${fixture.informer.exists}`));
    await fixture.informer.addHandler(handler).synced;
    expect(fixture.informer.isSynced).toBe(true);
    expect(fixture.informer.exists).toBe(false);
    expect([fixture.informer.get(a), fixture.informer.list(), fixture.informer.problems]).toEqual([
      undefined,
      [],
      [],
    ]);
    await passBackoff(fixture);
    await eventually(() => fixture.lists().length === 2);
    await passBackoff(fixture);
    await eventually(() => log.length === 2);
    expect(log).toEqual(['added a at first', 'exists: true']);
    await eventually(() => fixture.watches().length === 1);
  });

  test('is looked up at least every ten seconds, for as long as it takes', async () => {
    const fixture = await run({ list: [refuse(404, 'NotFound')], options: { optional: true } });
    for (let attempt = 1; attempt <= 20; attempt += 1) {
      await eventually(() => fixture.lists().length === attempt);
      expect(await passBackoff(fixture)).toBeLessThanOrEqual(10_000);
    }
    expect(fixture.informer.problems).toEqual([]);
  });

  test.each([true, false])(
    'loses its objects when it is removed, and has new ones when it returns (optional: %s)',
    async (optional) => {
      const fixture = await run({
        list: [
          answerList([object('a', 1)]),
          refuse(404, 'NotFound'),
          refuse(404, 'NotFound'),
          answerList([object('a', 50, 'a2')], 60),
        ],
        watch: [refuse(404, 'NotFound'), openWatch()],
        discovered: false,
        options: { optional },
      });
      const { handler, log } = recorder();
      fixture.informer.addHandler(handler);
      fixture.informer.onExistenceChange(() => log.push(`exists: ${fixture.informer.exists}`));
      await passBackoff(fixture);
      await eventually(() => fixture.lists().length === 2);
      await eventually(() => fixture.clock.delays.some((delay) => delay < 30_000));
      // An API server that has just started may deny for a moment what it serves.
      expect(log).toEqual(['added a at first']);
      await fixture.clock.advance(6000);
      await eventually(() => log.length === 3);
      expect(fixture.informer.list()).toEqual([]);
      await passBackoff(fixture);
      await eventually(() => log.length === 5);
      expect(log).toEqual([
        'added a at first',
        'deleted a@1 unseen',
        'exists: false',
        'added a2 at first',
        'exists: true',
      ]);
    },
  );

  test.each([
    ['something in front of the server denies everything', undefined],
    ['the server has it, but not its objects', true],
  ])('keeps its objects when %s', async (_, discovered) => {
    const fixture = await run({
      list: [answerList([object('a', 1)]), refuse(404, 'NotFound')],
      watch: [refuse(404, 'NotFound')],
      discovered,
      options: { optional: true },
    });
    for (let elapsed = 0, lists = 1; elapsed < 70_000; lists += 1) {
      await eventually(() => fixture.lists().length === lists);
      elapsed += await passBackoff(fixture);
    }
    expect(fixture.log).toEqual(['added a@1']);
    expect(fixture.informer.list()).toHaveLength(1);
    expect(fixture.informer.problems).toEqual([expect.stringMatching(/out of date \(NotFound for/)]);
  });
});

describe('health', () => {
  test('fails when a synced cache is not updated for a minute, and says why', async () => {
    const fixture = await run({ watch: [openWatch(bookmark(15), 'cut')] });
    await fixture.informer.synced;
    fixture.server.script = (exchange) => {
      if (exchange.query.has('watch')) openWatch('', 'cut')(exchange);
      else refuse(403, 'Forbidden')(exchange);
    };
    let elapsed = 0;
    while (elapsed < 60_000) {
      expect(fixture.informer.problems).toEqual([]);
      elapsed += await passBackoff(fixture);
    }
    expect(fixture.informer.problems).toEqual([
      expect.stringMatching(/^Thing\.example\.com\/v1 is out of date \(\w+ for \d+ s: .+\)$/),
    ]);
    fixture.server.script = (exchange) => {
      if (exchange.query.has('watch')) openWatch()(exchange);
      else answerList([])(exchange);
    };
    const watches = fixture.watches().length;
    await passBackoff(fixture);
    await eventually(() => fixture.watches().length > watches && fixture.clock.delays[0]! >= 90_000);
    // An open watch is healthy, though nothing may happen for long.
    await fixture.clock.advance(1000);
    await eventually(() => fixture.informer.problems.length === 0);
  });

  test('is reported to the observer', async () => {
    const observed: string[] = [];
    const fixture = await run({
      list: [answerList([object('a', 1)])],
      watch: [
        openWatch(event('ADDED', object('b', 11)) + event('ERROR', status(410, 'Expired'))),
        openWatch(),
      ],
      observer: {
        synced: (isSynced) => observed.push(`synced ${isSynced}`),
        objects: (count) => observed.push(`objects ${count}`),
        idle: () => observed.push('idle'),
        heard: () => observed.push('heard'),
        restarted: (reason) => observed.push(`restarted ${reason}`),
        relisted: () => observed.push('relisted'),
        closed: () => observed.push('closed'),
      },
    });
    await eventually(() => fixture.watches().length === 2);
    expect(observed).toEqual([
      'heard',
      'objects 1',
      'synced true',
      'heard',
      'objects 2',
      'restarted Expired',
      'heard',
      'relisted',
      'objects 1',
      'synced true',
    ]);
    fixture.informer.close();
    expect(observed.at(-1)).toBe('closed');
  });
});
