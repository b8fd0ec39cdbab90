import { describe, expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../test/eventually.ts';
import { Thing, thing } from '../../test/thing.ts';
import { VirtualClock, settled } from '../../test/virtual-clock.ts';
import type { Cache } from '../cache/cache.ts';
import { CacheSyncError, NamespaceNotCachedError } from '../cache/cache-errors.ts';
import type { InformerHandler } from '../cache/informer-handler.ts';
import { currentWork, runInContext } from '../context/work-context.ts';
import { createLogger } from '../logging/create-logger.ts';
import { lowPriority } from '../queue/priority.ts';
import { type WatchOptions, kindSource, primarySource } from './kind-source.ts';
import { type MapFunction, requestOf } from './map-function.ts';

/** A source whose informer says what the test says. */
function setUp(map: MapFunction<Thing>, options: WatchOptions<Thing> = {}) {
  const clock = new VirtualClock();
  const abort = new AbortController();
  onTestFinished(() => abort.abort());
  const queued: string[] = [];
  const causes: unknown[] = [];
  const lines: string[] = [];
  let handler: InformerHandler<Thing> | undefined;
  let markSynced!: () => void;
  const synced = new Promise<void>((resolve) => (markSynced = resolve));
  const informer = {
    addHandler(added: InformerHandler<Thing>) {
      handler = added;
      return { synced, [Symbol.dispose]: () => (handler = undefined) };
    },
  };
  const cache = { informer: () => informer } as unknown as Pick<Cache, 'informer'>;
  const started = kindSource(cache, Thing, map, options).start({
    enqueue: ({ name }, { priority = 0, cause } = {}) => {
      causes.push(cause);
      if (name === 'refused') throw new Error('a request is refused');
      queued.push(priority === 0 ? name : `${name} at ${priority}`);
    },
    signal: abort.signal,
    clock,
    logger: createLogger({ stream: { write: (line) => lines.push(line) } }),
  });
  const report = {
    added: (object: Thing, isInitial = false) => handler!.added(object, { isInitial }),
    updated: (before: Thing, after: Thing) => handler!.updated(before, after),
    deleted: (object: Thing, finalStateUnknown = false) => handler!.deleted(object, { finalStateUnknown }),
    uncached: (object: Thing) => handler!.uncached?.(object),
  };
  return {
    clock,
    abort,
    queued,
    causes,
    lines,
    report,
    markSynced,
    started,
    hasHandler: () => handler !== undefined,
  };
}

const byName: MapFunction<Thing> = ({ metadata }) => [requestOf(metadata)];
const at = (name: string, resourceVersion: string): Thing => {
  const object = thing(name);
  return { ...object, metadata: { ...object.metadata, resourceVersion } };
};

describe('events', () => {
  test('creations, updates and deletions are mapped; of an update both states, each request once', () => {
    const { queued, report } = setUp(byName);
    report.added(at('a', '1'));
    report.updated(at('a', '1'), at('a', '2'));
    report.updated(at('old', '3'), at('new', '4'));
    report.deleted(at('a', '2'));
    expect(queued).toEqual(['a', 'a', 'old', 'new', 'a']);
  });

  test('a request has its event, with the states of the cache and not with copies', () => {
    const { causes, report } = setUp(byName);
    const [first, second] = [at('a', '1'), at('a', '2')];
    report.added(first, true);
    report.added(first);
    report.updated(first, second);
    report.deleted(second);
    const common = { kind: Thing, oldObject: undefined, events: 1 };
    expect(causes).toEqual([
      { ...common, type: 'start', object: first },
      { ...common, type: 'created', object: first },
      { ...common, type: 'updated', object: second, oldObject: first },
      { ...common, type: 'deleted', object: second },
    ]);
    expect((causes[2] as { oldObject: Thing }).oldObject).toBe(first);
  });

  test('objects that exist when the watch starts have a low priority', () => {
    const { queued, report } = setUp(byName);
    report.added(at('first', '1'), true);
    report.added(at('created', '1'));
    report.updated(at('changed', '1'), at('changed', '2'));
    report.deleted(at('deleted', '1'));
    expect(queued).toEqual(['first at -100', 'created', 'changed', 'deleted']);
  });

  test('a watch can have a priority', () => {
    const high = setUp(byName, { priority: 5 });
    high.report.added(at('a', '1'));
    high.report.added(at('a', '1'), true);
    expect(high.queued).toEqual(['a at 5', `a at ${lowPriority}`]);
    const lower = setUp(byName, { priority: -200 });
    lower.report.added(at('a', '1'), true);
    expect(lower.queued).toEqual(['a at -200']);
    expect(() => setUp(byName, { priority: NaN })).toThrow('The priority is NaN');
  });

  test('all predicates must let them pass; deletions have details', () => {
    const { queued, report } = setUp(byName, {
      predicates: [
        { create: ({ metadata }) => metadata.name !== 'hidden' },
        { update: (before, after) => before.spec.size !== after.spec.size },
        { delete: (_, { finalStateUnknown }) => finalStateUnknown },
      ],
    });
    report.added(at('hidden', '1'));
    report.added(at('a', '1'));
    report.updated(at('b', '1'), at('b', '2'));
    report.updated(at('c', '1'), { ...at('c', '2'), spec: { size: 2 } });
    report.deleted(at('d', '1'));
    report.deleted(at('e', '1'), true);
    expect(queued).toEqual(['a', 'c', 'e']);
  });

  test('a predicate that fails loses no event', () => {
    const fail = (): never => {
      throw new Error('a bug');
    };
    const { lines, queued, report } = setUp(byName, {
      predicates: [{ create: fail, update: fail, delete: fail }],
    });
    report.added(at('a', '1'));
    report.updated(at('b', '1'), at('b', '2'));
    report.deleted(at('c', '1'));
    expect(queued).toEqual(['a', 'b', 'c']);
    expect(lines).toHaveLength(3);
  });

  test('a map function runs under the signal and the fence of the source', () => {
    const fence = (): void => {};
    const works: ReturnType<typeof currentWork>[] = [];
    const { abort, report } = runInContext({ fence }, () =>
      setUp(() => {
        works.push(currentWork());
        return [];
      }),
    );
    report.added(at('a', '1'));
    abort.abort();
    expect(works).toMatchObject([{ fence, signal: { aborted: true } }]);
  });
});

describe('starting and stopping', () => {
  test('it has started when the informer is synced and all existing objects are mapped', async () => {
    const resolvers: (() => void)[] = [];
    const { markSynced, queued, report, started } = setUp(
      ({ metadata }) => new Promise((resolve) => resolvers.push(() => resolve([requestOf(metadata)]))),
    );
    let hasStarted = false;
    void started.then(() => (hasStarted = true));
    report.added(at('a', '1'), true);
    report.added(at('b', '1'), true);
    markSynced();
    await settled();
    resolvers[0]!();
    await settled();
    expect([hasStarted, queued]).toEqual([false, ['a at -100']]);
    resolvers[1]!();
    await started;
    expect(queued).toEqual(['a at -100', 'b at -100']);
  });

  test('its handler is removed when the signal aborts', () => {
    const { abort, hasHandler } = setUp(byName);
    expect(hasHandler()).toBe(true);
    abort.abort();
    expect(hasHandler()).toBe(false);
  });
});

describe('map functions', () => {
  test('asynchronous ones run one after another, in the order of the events', async () => {
    const running: string[] = [];
    const { queued, report } = setUp(async ({ metadata }) => {
      running.push(metadata.name!);
      expect(running).toHaveLength(1);
      await settled();
      running.pop();
      return [requestOf(metadata)];
    });
    for (const name of ['a', 'b', 'c']) report.added(at(name, '1'));
    await eventually(() => queued.length === 3);
    expect(queued).toEqual(['a', 'b', 'c']);
  });

  test.each<[string, MapFunction<Thing>]>([
    [
      'throws',
      () => {
        throw new Error('no');
      },
    ],
    ['rejects', () => Promise.reject(new Error('no'))],
    ['returns nothing', () => undefined as unknown as []],
    ['returns a request that is refused', () => [{ name: 'refused' }]],
  ])('an event whose mapping %s is retried, and does not block others', async (_, fail) => {
    let isBroken = true;
    const { clock, lines, queued, report } = setUp((object) =>
      isBroken && object.metadata.name === 'bad' ? fail(object) : byName(object),
    );
    report.added(at('bad', '1'));
    report.added(at('good', '1'));
    await eventually(() => queued.includes('good'));
    await eventually(() => clock.delays.length === 1);
    expect(clock.delays).toEqual([100]);
    await clock.advance(100);
    await eventually(() => clock.delays.length === 1);
    expect(clock.delays).toEqual([200]);
    isBroken = false;
    await clock.advance(200);
    await eventually(() => queued.includes('bad'));
    expect(clock.delays).toEqual([]);
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
      { level: 'error', name: 'bad', namespace: 'default', attempt: 1 },
      { attempt: 2 },
    ]);
  });

  test('one that keeps failing is dropped after some minutes, and that is logged', async () => {
    const { clock, lines, queued, report } = setUp(() => Promise.reject(new Error('no')));
    report.added(at('bad', '1'));
    for (let attempt = 1; attempt < 12; attempt += 1) {
      await eventually(() => lines.length === attempt && clock.delays.length === 1);
      await clock.advance(clock.delays[0]!);
    }
    await eventually(() => lines.length === 12);
    expect(lines.at(-1)).toContain('dropping the event');
    expect([queued, clock.delays]).toEqual([[], []]);
  });

  test('one that does not end is logged: the events after it wait', async () => {
    const { abort, clock, lines, queued, report } = setUp(({ metadata }) =>
      metadata.name === 'stuck' ? new Promise(() => {}) : [requestOf(metadata)],
    );
    report.added(at('stuck', '1'));
    report.added(at('next', '1'));
    await clock.advance(60_000);
    expect(queued).toEqual([]);
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
      { level: 'warn', name: 'stuck', namespace: 'default' },
    ]);
    report.added(at('last', '1'));
    abort.abort();
    expect(clock.delays).toEqual([]);
  });

  test('one that needs what is not cached yet is retried quietly, and one of a namespace that has left is dropped', async () => {
    const error = new CacheSyncError('Thing in default is not cached yet', 'It is a test.');
    const left = new NamespaceNotCachedError(Thing, 'default', { names: [], isDynamic: true });
    let isBroken = true;
    const { clock, lines, queued, report } = setUp(async ({ metadata }) => {
      if (metadata.name === 'left') throw left;
      if (isBroken) throw error;
      return [requestOf(metadata)];
    });
    report.added(at('left', '1'));
    report.added(at('early', '1'));
    await eventually(() => clock.delays.length === 1 && clock.delays[0] === 100);
    isBroken = false;
    await clock.advance(100);
    await eventually(() => queued.includes('early'));
    expect([queued, clock.delays, lines]).toEqual([['early'], [], []]);
  });

  test('nothing is retried after the end', async () => {
    const { abort, clock, report } = setUp(() => Promise.reject(new Error('no')));
    report.added(at('bad', '1'));
    await eventually(() => clock.delays.length === 1);
    abort.abort();
    expect(clock.delays).toEqual([]);
  });
});

test('an object whose namespace is no longer cached is mapped, whatever the predicates say of deletions', () => {
  const { causes, queued, report } = setUp(byName, { predicates: [{ delete: () => false }] });
  report.uncached(at('a', '1'));
  expect(queued).toEqual(['a']);
  expect(causes).toMatchObject([{ type: 'uncached' }]);
});

test('when an owned kind appears or disappears, every object that passes is mapped again, after the others', async () => {
  const listeners = new Set<() => void>();
  const informer = {
    addHandler: () => ({ synced: Promise.resolve(), [Symbol.dispose]: () => {} }),
    list: () => [at('a', '1'), at('b', '1'), at('c', '1')],
    onExistenceChange(listener: () => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const cache = { informer: () => informer } as unknown as Pick<Cache, 'informer'>;
  const predicates = [{ create: ({ metadata }: { metadata: { name?: string } }) => metadata.name !== 'b' }];
  const abort = new AbortController();
  const queued: unknown[] = [];
  await primarySource(cache, Thing, { predicates }, [Thing]).start({
    enqueue: ({ name }, options) => queued.push([name, options?.priority]),
    signal: abort.signal,
    clock: new VirtualClock(),
    logger: createLogger({ level: 'silent' }),
  });
  expect(queued).toEqual([]);
  for (const tell of listeners) tell();
  expect(queued).toEqual([
    ['a', lowPriority],
    ['c', lowPriority],
  ]);
  abort.abort();
  expect(listeners.size).toBe(0);
});
