import { getEventListeners } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../test/eventually.ts';
import { Thing, thing } from '../../test/thing.ts';
import { VirtualClock, settled } from '../../test/virtual-clock.ts';
import { createLogger } from '../logging/create-logger.ts';
import { untilAborted } from '../signals/until-aborted.ts';
import type { TransportRequest } from '../transport/transport-request.ts';
import type { Transport } from '../transport/transport.ts';
import { cacheEvents } from './cache-events.ts';
import { Informer } from './informer.ts';
import { NamespaceList } from './namespace-list.ts';

/** An informer of Things in a list of namespaces; the server has `a`, `b` and `c` in each, and no news. */
function setUp(names: string[] = []) {
  const clock = new VirtualClock();
  const list = new NamespaceList(names);
  const events: string[] = [];
  const observed: string[] = [];
  /** The namespaces of the watches that are open. */
  const watched = new Set<string>();
  const lists: string[] = [];
  const transport = {
    request: async ({ path }: TransportRequest) => {
      const namespace = path.split('/')[5]!;
      lists.push(namespace);
      const items = ['a', 'b', 'c'].map((name) => {
        const metadata = { name, namespace, uid: `${namespace}-${name}`, resourceVersion: '5' };
        return { ...thing(name), metadata };
      });
      return { metadata: { resourceVersion: '10' }, items };
    },
    stream: async (path: string, _: unknown, signal: AbortSignal) => silence(path.split('/')[5]!, signal),
  };
  async function* silence(namespace: string, signal: AbortSignal): AsyncGenerator<Buffer> {
    watched.add(namespace);
    await untilAborted(signal);
    watched.delete(namespace);
    yield* [];
  }
  const informer = new Informer({
    transport: transport as unknown as Transport,
    kind: Thing,
    namespaces: () => list,
    clock,
    logger: createLogger({ level: 'silent' }),
    observer: {
      synced: (isSynced) => observed.push(`synced ${isSynced}`),
      objects: (count) => observed.push(`objects ${count}`),
      idle: () => observed.push('idle'),
      heard: () => {},
      restarted: () => {},
      relisted: () => {},
      closed: () => {},
    },
  });
  const note =
    (type: string) =>
    ({ metadata }: { metadata: { namespace?: string | undefined; name?: string | undefined } }): void =>
      void events.push(`${type} ${metadata.namespace}/${metadata.name}`);
  const handler = {
    added: note('added'),
    updated: () => {},
    deleted: note('deleted'),
    uncached: note('uncached'),
  };
  informer.addHandler(handler);
  const stop = new AbortController();
  const running = informer.run(stop.signal);
  const end = async (): Promise<void> => {
    stop.abort();
    await running;
  };
  onTestFinished(end);
  return { clock, list, informer, handler, events, observed, watched, lists, stop, end };
}

const eachOf = (namespace: string, ...types: string[]): string[] =>
  types.flatMap((type) => ['a', 'b', 'c'].map((name) => `${type} ${namespace}/${name}`));

test('objects of a namespace that comes are initial, and those of one that goes are uncached', async () => {
  const { list, informer, events, observed } = setUp();
  await informer.synced;
  expect(informer.isSynced).toBe(true);
  expect(informer.list()).toEqual([]);
  expect(observed).toEqual(['synced true', 'idle']);
  const initial: boolean[] = [];
  informer.addHandler({ added: (_, details) => initial.push(details.isInitial), updated() {}, deleted() {} });
  list.add('x');
  expect(observed.at(-1)).toBe('synced false');
  await eventually(() => events.length === 3);
  expect(initial).toEqual([true, true, true]);
  await eventually(() => observed.at(-1) === 'synced true');
  list.delete('x');
  await eventually(() => events.length === 6);
  expect(events).toEqual(eachOf('x', 'added', 'uncached'));
  expect(observed).toContain('objects 0');
  await eventually(() => observed.at(-1) === 'idle');
});

test('a namespace that leaves and comes back while handlers receive its objects is seen in order', async () => {
  const { clock, list, informer, handler, events } = setUp();
  const { added } = handler;
  let isFirst = true;
  handler.added = (object) => {
    added(object);
    // Ends the slice: the other objects come later.
    if (isFirst) void clock.advance(20);
    isFirst = false;
  };
  list.add('x');
  await eventually(() => events.length === 1);
  list.delete('x');
  expect(informer.list()).toEqual([]);
  const late: string[] = [];
  informer.addHandler({
    added: ({ metadata }) => late.push(`added ${metadata.name}`),
    updated() {},
    deleted() {},
    uncached: ({ metadata }) => late.push(`uncached ${metadata.name}`),
  });
  list.add('x');
  await eventually(() => events.length === 9);
  await settled();
  expect(events).toEqual(eachOf('x', 'added', 'uncached', 'added'));
  expect(late).toEqual(['added a', 'added b', 'added c']);
});

test('a namespace may leave at any moment of its list', async () => {
  for (let moment = 0; moment < 60; moment += 1) {
    const { list, informer, events, end } = setUp();
    list.add('x');
    for (let turn = 0; turn < moment; turn += 1) await Promise.resolve();
    list.set([]);
    expect(informer.list()).toEqual([]);
    await settled();
    await settled();
    expect(informer.list()).toEqual([]);
    expect([[], eachOf('x', 'added', 'uncached')]).toContainEqual(events);
    await end();
  }
});

test('a namespace that is asked for twice in a moment is listed once', async () => {
  const { list, informer, lists, events } = setUp(['x']);
  await informer.synced;
  list.set(['x', 'y']);
  list.set(['y', 'x']);
  list.add('x');
  await eventually(() => events.length === 6);
  expect(lists).toEqual(['x', 'y']);
});

test('a reader of events learns that objects are uncached, unless it never learned of them', async () => {
  const { list, informer } = setUp(['x']);
  await informer.synced;
  const stop = new AbortController();
  const reader = cacheEvents(informer, stop.signal);
  const next = async (): Promise<string> => {
    const { value } = await reader.next();
    return value ? `${value.type} ${value.object.metadata.namespace}/${value.object.metadata.name}` : 'end';
  };
  expect([await next(), await next()]).toEqual(['added x/a', 'added x/b']);
  list.set(['y']);
  await eventually(() => informer.list().length === 3);
  await settled();
  const rest = [await next(), await next(), await next(), await next(), await next()];
  expect(rest.toSorted()).toEqual(['added y/a', 'added y/b', 'added y/c', 'uncached x/a', 'uncached x/b']);
  list.set([]);
  await eventually(() => informer.list().length === 0);
  list.set(['y']);
  await eventually(() => informer.list().length === 3);
  await settled();
  expect(await next()).toBe('updated y/a');
  stop.abort();
});

test('a thousand changes leave nothing behind', async () => {
  const { clock, list, informer, watched, stop, events, end } = setUp(['base']);
  await eventually(() => watched.size === 1);
  const timers = clock.delays.length;
  const listeners = getEventListeners(stop.signal, 'abort').length;
  for (let change = 0; change < 1000; change += 1) {
    list.set(['base', `namespace-${change}`]);
    if (change % 10 === 0) await eventually(() => watched.has(`namespace-${change}`));
    informer.wrote({
      ...thing('own'),
      metadata: { name: 'own', namespace: `namespace-${change}`, resourceVersion: '99' },
    });
  }
  list.set(['base']);
  await eventually(() => watched.size === 1);
  await settled();
  expect(informer.list()).toHaveLength(3);
  expect(clock.delays).toHaveLength(timers);
  expect(getEventListeners(stop.signal, 'abort')).toHaveLength(listeners);
  expect(events.filter((event) => event.startsWith('uncached'))).toHaveLength(
    events.filter((event) => event.startsWith('added')).length - 3,
  );
  expect(await informer.isBehind(AbortSignal.timeout(1000))).toBe(false);
  await end();
  list.add('after');
  await settled();
  expect(watched.size).toBe(0);
});

test('a list refuses what is not a namespace, and keeps what it had', () => {
  const list = new NamespaceList(['a']);
  for (const change of [() => list.add('b', 'B_'), () => list.set(['']), () => new NamespaceList(['a/b'])])
    expect(change).toThrow(
      expect.objectContaining({ code: 'USAGE', message: expect.stringContaining('is not the name') }),
    );
  list.delete('never there');
  expect([...list.names]).toEqual(['a']);
  let changes = 0;
  using _ = list.follow(() => (changes += 1));
  list.set(['a', 'a']);
  expect(changes).toBe(0);
  list.set(['b']);
  expect(changes).toBe(1);
});

test('users of a kind agree on its namespaces by the selector, and on the list itself', () => {
  const { informer } = setUp();
  const configure = (namespaces: NonNullable<Parameters<typeof informer.configure>[0]['namespaces']>) => () =>
    informer.configure({ namespaces });
  const fresh = (): (typeof informer)['configure'] => {
    const other = new Informer({
      transport: {} as Transport,
      kind: Thing,
      namespaces: () => new NamespaceList(),
      clock: new VirtualClock(),
      logger: createLogger({ level: 'silent' }),
    });
    return (options) => other.configure(options);
  };
  const byLabel = fresh();
  byLabel({ namespaces: { labelSelector: 'team=a' } });
  byLabel({ namespaces: { labelSelector: { matchLabels: { team: 'a' } } } });
  expect(() => byLabel({ namespaces: { labelSelector: 'team=b' } })).toThrow('different namespaces');
  expect(() => byLabel({ namespaces: ['a'] })).toThrow('different namespaces');
  const byList = fresh();
  const list = new NamespaceList(['a']);
  byList({ namespaces: list });
  byList({ namespaces: list });
  expect(() => byList({ namespaces: new NamespaceList(['a']) })).toThrow('different namespaces');
  expect(configure({ labelSelector: 'a in' })).toThrow(expect.objectContaining({ code: 'SELECTOR_INVALID' }));
  expect(configure({} as never)).toThrow('The namespaces to cache have no labelSelector');
});
