import fc from 'fast-check';
import type { KubernetesObject } from 'ots-kubernetes';
import type { Event } from 'ots-kubernetes/events/v1';
import { expect, test } from 'vitest';
import { thing } from '../../test/thing.ts';
import { VirtualClock, settled } from '../../test/virtual-clock.ts';
import { type WorkEvent, currentWork, runInContext } from '../context/work-context.ts';
import { ApiError } from '../errors/api-error.ts';
import { createLogger } from '../logging/create-logger.ts';
import type { EventDetails } from './event-details.ts';
import type { DropReason } from './event-observer.ts';
import { EventRecorder, cutBytes } from './event-recorder.ts';

const minute = 60_000;
const scaled: EventDetails = { type: 'Normal', reason: 'Scaled', action: 'Scale', note: 'to 3' };

/** The API server: keeps events, and fails as a test requests. */
class EventStore {
  readonly events = new Map<string, Event>();
  readonly requests: string[] = [];
  failures: unknown[] = [];
  /** Requests wait for it. */
  gate: Promise<void> = Promise.resolve();

  get all(): Event[] {
    return [...this.events.values()];
  }

  async create(_: unknown, event: Event, { signal }: { signal: AbortSignal }): Promise<Event> {
    await this.#answer('create', signal);
    if (this.events.has(event.metadata.name!)) throw apiError(409, 'AlreadyExists');
    this.events.set(event.metadata.name!, event);
    return event;
  }

  async patch(
    _: unknown,
    { name }: { name: string },
    patch: object,
    { signal }: { signal: AbortSignal },
  ): Promise<Event> {
    await this.#answer('patch', signal);
    const event = this.events.get(name);
    if (!event) throw apiError(404, 'NotFound');
    const patched = { ...event, ...patch };
    this.events.set(name, patched);
    return patched;
  }

  async #answer(verb: string, signal: AbortSignal): Promise<void> {
    this.requests.push(verb);
    await new Promise<void>((resolve, reject) => {
      const abort = (): void => reject(signal.reason as Error);
      signal.addEventListener('abort', abort, { once: true });
      void this.gate.then(() => {
        signal.removeEventListener('abort', abort);
        resolve();
      });
    });
    const failure = this.failures.shift();
    if (failure !== undefined) throw failure;
  }
}

function apiError(
  code: number,
  reason: string,
  causes: { reason: string }[] = [],
  retryAfter?: number,
): ApiError {
  return new ApiError({ code, reason, message: reason, details: { causes } }, retryAfter);
}

function setUp() {
  const clock = new VirtualClock();
  const store = new EventStore();
  const lines: string[] = [];
  const dropped: DropReason[] = [];
  let written = 0;
  const recorder = new EventRecorder({
    client: store as never,
    clock,
    logger: createLogger({ stream: { write: (line: string) => lines.push(line) } }),
    controller: 'thing',
    instance: 'thing-host',
    observer: { written: () => (written += 1), dropped: (reason) => dropped.push(reason) },
  });
  return { clock, store, lines, dropped, recorder, written: () => written };
}

test('an event names the object, what happened and the reporter', async () => {
  const { store, recorder, clock } = setUp();
  const object = thing('a');
  object.metadata.uid = 'u';
  object.metadata.resourceVersion = '7';
  recorder.event(object, { ...scaled, related: thing('b') });
  await settled();
  expect(store.all).toEqual([
    {
      apiVersion: 'events.k8s.io/v1',
      kind: 'Event',
      metadata: { name: expect.stringMatching(/^a\.[0-9a-f]{16}$/), namespace: 'default' },
      eventTime: new Date(clock.epoch()).toISOString().replace('Z', '000Z'),
      reportingController: 'thing',
      reportingInstance: 'thing-host',
      type: 'Normal',
      reason: 'Scaled',
      action: 'Scale',
      note: 'to 3',
      regarding: {
        apiVersion: 'example.com/v1',
        kind: 'Thing',
        name: 'a',
        namespace: 'default',
        uid: 'u',
        resourceVersion: '7',
      },
      related: { apiVersion: 'example.com/v1', kind: 'Thing', name: 'b', namespace: 'default' },
    },
  ]);
});

test('repetitions are counted: the first is written, later ones at the end of the series', async () => {
  const { store, recorder, clock } = setUp();
  for (let count = 1; count <= 10; count += 1) {
    recorder.event(thing('a'), { ...scaled, note: `the note may differ: ${count}` });
    await clock.advance(minute);
  }
  expect(store.requests).toEqual(['create', 'patch']);
  expect(store.all[0]).toMatchObject({ note: 'the note may differ: 1', series: { count: 2 } });
  const last = new Date(clock.epoch() - minute).toISOString().replace('Z', '000Z');
  await clock.advance(6 * minute);
  expect(store.requests).toEqual(['create', 'patch', 'patch']);
  expect(store.all[0]?.series).toEqual({ count: 10, lastObservedTime: last });
  expect(clock.delays).toEqual([]);

  recorder.event(thing('a'), scaled);
  await settled();
  expect(store.events.size).toBe(2);
});

test('a new version of the object does not start a new series; another incarnation does', async () => {
  const { store, recorder } = setUp();
  for (const [uid, resourceVersion] of [
    ['u', '1'],
    ['u', '2'],
    ['other', '3'],
  ] as const) {
    const object = thing('a');
    Object.assign(object.metadata, { uid, resourceVersion });
    recorder.event(object, scaled);
    await settled();
  }
  expect(store.all.map(({ series }) => series?.count)).toEqual([2, undefined]);
});

test('a continuing series is refreshed every half hour, and starts over when its event has expired', async () => {
  const { store, recorder, clock } = setUp();
  const repeat = async (minutes: number): Promise<void> => {
    for (let passed = 0; passed < minutes; passed += 1) {
      recorder.event(thing('a'), scaled);
      await clock.advance(minute);
    }
  };
  await repeat(32);
  expect(store.requests).toEqual(['create', 'patch', 'patch']);
  expect(store.all[0]?.series?.count).toBeGreaterThan(29);
  store.events.clear();
  await repeat(32);
  expect(store.all).toHaveLength(1);
  expect(store.all[0]?.series?.count).toBeGreaterThan(59);
});

test('the work that records an event learns which one it is, also when it repeats, unless it is dropped', async () => {
  const { store, recorder } = setUp();
  const announced: (WorkEvent['event'] | 'none')[] = [];
  const record = (reason: string): void =>
    runInContext({ announced: ({ event }) => announced.push(event ?? 'none') }, () =>
      recorder.event(thing('a'), { ...scaled, reason }),
    );
  record('Scaled');
  await settled();
  record('Scaled');
  for (let n = 0; n < 25; n += 1) record(`Other${n}`);
  await settled();
  const { name, namespace } = store.all[0]!.metadata;
  expect(announced.slice(0, 2)).toEqual([
    { namespace, name },
    { namespace, name },
  ]);
  expect(announced.at(-1)).toBe('none');
});

test('events of one turn become one request', async () => {
  const { store, recorder } = setUp();
  for (let count = 0; count < 5; count += 1) recorder.event(thing('a'), scaled);
  await settled();
  expect(store.requests).toEqual(['create']);
  expect(store.all[0]?.series?.count).toBe(5);
});

test('an event that repeats while it is being written is written again', async () => {
  const { store, recorder } = setUp();
  let open!: () => void;
  store.gate = new Promise((resolve) => (open = resolve));
  recorder.event(thing('a'), scaled);
  await settled();
  recorder.event(thing('a'), scaled);
  open();
  await settled();
  expect(store.requests).toEqual(['create', 'patch']);
  expect(store.all[0]?.series?.count).toBe(2);
});

test('each object has a burst of 25 different events and then one more every five minutes', async () => {
  const { store, recorder, clock, dropped } = setUp();
  for (let n = 0; n < 30; n += 1) recorder.event(thing('a'), { ...scaled, reason: `Reason${n}` });
  recorder.event(thing('b'), scaled);
  await settled();
  expect(store.events.size).toBe(26);
  expect(dropped).toEqual(Array.from({ length: 5 }, () => 'spam'));
  await clock.advance(5 * minute);
  recorder.event(thing('a'), { ...scaled, reason: 'Later' });
  recorder.event(thing('a'), { ...scaled, reason: 'TooMany' });
  await settled();
  expect(store.events.size).toBe(27);
});

test('writes to a failing server are retried with growing delays, or when it asks', async () => {
  const { store, recorder, clock, lines, dropped } = setUp();
  store.failures = [
    new Error('reset'),
    apiError(503, 'ServiceUnavailable'),
    apiError(429, 'TooManyRequests', [], 30_000),
  ];
  recorder.event(thing('a'), scaled);
  await settled();
  await clock.advance(1250);
  expect(store.requests).toHaveLength(2);
  await clock.advance(2500);
  expect(store.requests).toHaveLength(3);
  await clock.advance(29_000);
  expect(store.requests).toHaveLength(3);
  await clock.advance(1000);
  expect(store.events.size).toBe(1);
  expect(lines).toEqual([]);
  expect(dropped).toEqual([]);
});

test('an event that fails twelve times is dropped, and the next one is tried', async () => {
  const { store, recorder, clock, dropped, lines } = setUp();
  store.failures = Array.from({ length: 12 }, () => apiError(500, 'InternalError'));
  recorder.event(thing('a'), scaled);
  recorder.event(thing('b'), scaled);
  await clock.advance(10 * minute);
  expect(store.requests).toHaveLength(13);
  expect(dropped).toEqual(['refused']);
  expect(store.all.map(({ regarding }) => regarding?.name)).toEqual(['b']);
  expect(lines.join('')).toContain('event not written');
});

test('a refusal is final and is reported once a minute; that of a terminating namespace is not', async () => {
  const { store, recorder, clock, dropped, lines } = setUp();
  const details = { kind: 'namespaces', name: 'default' };
  store.failures = [
    apiError(403, 'Forbidden', [{ reason: 'NamespaceTerminating' }]),
    new ApiError({ code: 404, reason: 'NotFound', message: 'no namespace', details }),
    // From something before the server, or one that does not know such events.
    apiError(404, 'NotFound'),
    apiError(403, 'Forbidden'),
  ];
  for (const name of ['a', 'b', 'c', 'd']) recorder.event(thing(name), scaled);
  await settled();
  expect(store.requests).toHaveLength(4);
  expect(dropped).toHaveLength(4);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain('"name":"c"');
  await clock.advance(minute);
  store.failures = [apiError(403, 'Forbidden')];
  recorder.event(thing('e'), scaled);
  await settled();
  expect(lines).toHaveLength(2);
});

test('a create whose response was lost is not a failure', async () => {
  const { store, recorder, clock, dropped } = setUp();
  const create = store.create.bind(store);
  let isFirst = true;
  store.create = async (...args) => {
    const event = await create(...args);
    if (isFirst) {
      isFirst = false;
      throw new Error('reset after the write');
    }
    return event;
  };
  recorder.event(thing('a'), scaled);
  await settled();
  await clock.advance(10_000);
  expect(store.requests).toEqual(['create', 'create']);
  expect(dropped).toEqual([]);
});

test('an event outlives the reconcile that recorded it', async () => {
  const { store, recorder } = setUp();
  const contexts: unknown[] = [];
  const create = store.create.bind(store);
  store.create = (...args) => {
    contexts.push(currentWork());
    return create(...args);
  };
  const fence = (): never => expect.unreachable();
  runInContext({ signal: AbortSignal.abort(), fence }, () => recorder.event(thing('a'), scaled));
  await settled();
  expect(contexts).toEqual([{}]);
});

test('no more than 1,000 wait for a slow server', async () => {
  const { store, recorder, dropped } = setUp();
  store.gate = new Promise(() => {});
  recorder.event(thing('first'), scaled);
  await settled();
  for (let n = 0; n < 1005; n += 1) recorder.event(thing(`t${n}`), scaled);
  expect(dropped).toEqual(['full', 'full', 'full', 'full', 'full']);
});

test('stop writes the last counts, and accepts nothing more', async () => {
  const { store, recorder, clock, dropped } = setUp();
  for (let count = 0; count < 7; count += 1) {
    recorder.event(thing('a'), scaled);
    await settled();
  }
  await recorder.stop(new AbortController().signal);
  expect(store.all[0]?.series?.count).toBe(7);
  recorder.event(thing('a'), scaled);
  expect(dropped).toEqual(['stopped']);
  expect(clock.delays).toEqual([]);
});

test('stop gives up when its time is over', async () => {
  const { store, recorder, dropped, clock, lines } = setUp();
  store.gate = new Promise(() => {});
  recorder.event(thing('a'), scaled);
  recorder.event(thing('b'), scaled);
  await settled();
  const deadline = new AbortController();
  const stopped = recorder.stop(deadline.signal);
  deadline.abort();
  await stopped;
  expect(dropped).toEqual(['stopped', 'stopped']);
  expect(clock.delays).toEqual([]);
  expect(lines).toEqual([]);
});

test('an incomplete event is logged and never thrown', async () => {
  const { store, recorder, lines, dropped } = setUp();
  const object: KubernetesObject = { apiVersion: 'v1', kind: 'Pod', metadata: {} };
  recorder.event(object, scaled);
  recorder.event(thing('a'), { ...scaled, action: '' });
  recorder.event(undefined as never, scaled);
  recorder.event(thing('a'), undefined as never);
  recorder.event({ metadata: {}, data: { key: 'hidden' } } as never, scaled);
  await settled();
  expect(store.requests).toEqual([]);
  expect(lines).toHaveLength(5);
  expect(lines.join('')).not.toContain('hidden');
  expect(dropped).toEqual(['invalid', 'invalid', 'invalid']);
});

test('an event that the API server would refuse is made valid', async () => {
  const { store, recorder } = setUp();
  const role = {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: 'system:node' },
  };
  recorder.event(role, {
    ...scaled,
    note: 'é'.repeat(2000),
    reason: 'R'.repeat(200),
    action: 'A'.repeat(200),
  });
  recorder.event(thing('x'.repeat(250)), scaled);
  await settled();
  const [event, long] = store.all;
  expect(event?.metadata).toEqual({
    name: expect.stringMatching(/^event-[0-9a-f]{16}$/),
    namespace: 'default',
  });
  expect(Buffer.byteLength(event?.note ?? '')).toBeLessThanOrEqual(1024);
  expect(event?.note).toMatch(/^é+…$/);
  expect(Buffer.byteLength(event?.reason ?? '')).toBe(128);
  expect(long?.metadata.name).toMatch(/^event-/);
});

test('a controller name that is invalid in events is refused', () => {
  const { store, clock } = setUp();
  const options = { client: store as never, clock, logger: createLogger({ level: 'silent' }) };
  expect(() => new EventRecorder({ ...options, controller: 'has space' })).toThrow(
    'cannot be the reporting controller',
  );
  expect(() => new EventRecorder({ ...options, controller: 'example.com/thing' })).not.toThrow();
});

test('cut text fits and is a prefix', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 60 }),
      fc.integer({ min: 3, max: 80 }),
      (text, limit) => {
        const cut = cutBytes(text, limit);
        expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(limit);
        if (cut !== text) expect(cut.endsWith('…') && text.startsWith(cut.slice(0, -1))).toBe(true);
      },
    ),
  );
});
