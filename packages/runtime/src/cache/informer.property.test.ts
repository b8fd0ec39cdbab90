import assert from 'node:assert/strict';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Fault, ModelServer } from '../../test/model-server.ts';
import { Thing } from '../../test/thing.ts';
import { VirtualClock, settled } from '../../test/virtual-clock.ts';
import { createLogger } from '../logging/create-logger.ts';
import type { DeepReadonly } from '../objects/deep-readonly.ts';
import { Informer } from './informer.ts';
import { wholeCluster } from './namespace-feed.ts';

const names = ['a', 'b', 'c', 'd', 'e'];

type Action =
  | { type: 'put' | 'delete'; name: string }
  | { type: 'own put' | 'own delete'; name: string; late: boolean }
  | { type: 'answer'; last: boolean }
  | { type: 'deliver'; count: number }
  | { type: 'fault'; fault: Fault }
  | { type: 'pass'; milliseconds: number }
  | { type: 'cut' | 'compact' | 'bookmark' };

const name = fc.constantFrom(...names);
const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ type: fc.constantFrom('put' as const, 'delete' as const), name }) },
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constantFrom('own put' as const, 'own delete' as const),
      name,
      late: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('answer' as const), last: fc.boolean() }) },
  {
    weight: 6,
    arbitrary: fc.record({ type: fc.constant('deliver' as const), count: fc.integer({ min: 1, max: 4 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('fault' as const),
      fault: fc.constantFrom<Fault>('refused', 'busy', 'broken', 'expired'),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('pass' as const),
      milliseconds: fc.constantFrom(100, 1000, 10_000, 100_000, 400_000),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ type: fc.constantFrom('cut' as const, 'compact' as const, 'bookmark' as const) }),
  },
);

/** What a reader may rely on: it never sees an older state after a newer one, nor one from before its own write. */
class Reader {
  readonly #server: ModelServer;
  readonly #informer: Informer<Thing>;
  /** For each name, the version as of which its state is known to the reader. */
  readonly #seen = new Map<string, number>();

  constructor(server: ModelServer, informer: Informer<Thing>) {
    this.#server = server;
    this.#informer = informer;
  }

  wrote(each: string, version: number): void {
    this.#seen.set(each, Math.max(version, this.#seen.get(each) ?? 0));
  }

  look(): void {
    const listed = new Map(this.#informer.list().map((object) => [object.metadata.name, object]));
    for (const each of names) {
      const object = this.#informer.get({ name: each, namespace: 'default' });
      assert.equal(listed.get(each), object);
      const seen = this.#seen.get(each) ?? 0;
      if (object) {
        const version = Number(object.metadata.resourceVersion);
        assert.ok(version >= seen, `${each} went back`);
        this.#seen.set(each, version);
      } else {
        this.#seen.set(each, this.#absentSince(each, seen));
      }
    }
  }

  /** The first time from the version on at which there was no such object. */
  #absentSince(each: string, version: number): number {
    const own = this.#server.log.filter(({ object }) => object.metadata.name === each);
    const last = own.filter((event) => event.version <= version).at(-1);
    if (!last || last.type === 'DELETED') return version;
    const end = own.find((event) => event.version > version && event.type === 'DELETED');
    assert.ok(end, `${each} disappeared without an end`);
    return end.version;
  }
}

/** What a handler received. It checks that this is a valid history of each object. */
class View {
  readonly objects = new Map<string, DeepReadonly<Thing>>();

  constructor(informer: Informer<Thing>) {
    const { objects } = this;
    informer.addHandler({
      added: (object) => {
        assert.ok(!objects.has(object.metadata.name!));
        objects.set(object.metadata.name!, object);
      },
      updated: (before, object) => {
        assert.equal(objects.get(object.metadata.name!), before);
        assert.equal(before.metadata.uid, object.metadata.uid);
        assert.ok(version(object) > version(before));
        objects.set(object.metadata.name!, object);
      },
      deleted: (object) => {
        assert.equal(objects.get(object.metadata.name!)?.metadata.uid, object.metadata.uid);
        objects.delete(object.metadata.name!);
      },
    });
  }
}

const version = ({ metadata }: DeepReadonly<Thing>): number => Number(metadata.resourceVersion);
const state = (objects: Iterable<DeepReadonly<Thing>>): string[] =>
  [...objects]
    .map((object) => `${object.metadata.name} ${object.metadata.uid} ${version(object)}`)
    .toSorted();

interface World {
  server: ModelServer;
  clock: VirtualClock;
  informer: Informer<Thing>;
  reader: Reader;
  /** Answers to own writes that are still on their way, while the events of these writes may overtake them. */
  answers: (() => void)[];
}

/** Writes on the server. Returns what happens when the response arrives. */
function write(step: { type: 'own put' | 'own delete'; name: string }, world: World): () => void {
  const { server, informer, reader } = world;
  if (step.type === 'own put') {
    const written = server.put(step.name);
    return () => {
      reader.wrote(step.name, version(written));
      informer.wrote(written);
    };
  }
  const removed = server.delete(step.name);
  const end = server.log.at(-1)?.version ?? 0;
  return () => {
    const key = { name: step.name, namespace: 'default' };
    // The answer says which object has gone, not when: what came before or after it is not for it to hide.
    if (!removed || informer.get(key)?.metadata.uid !== removed.metadata.uid) return;
    reader.wrote(step.name, end);
    informer.removed(key, removed.metadata.uid);
  };
}

async function perform(step: Action, world: World): Promise<void> {
  const { server, clock, answers } = world;
  switch (step.type) {
    case 'put':
      return void server.put(step.name);
    case 'delete':
      return void server.delete(step.name);
    case 'own put':
    case 'own delete': {
      const answer = write(step, world);
      if (step.late) answers.push(answer);
      else answer();
      return undefined;
    }
    case 'answer':
      return (step.last ? answers.pop() : answers.shift())?.();
    case 'deliver':
      return server.deliver(step.count);
    case 'fault':
      return void server.faults.push(step.fault);
    case 'pass':
      return clock.advance(step.milliseconds);
    case 'cut':
      return server.cut();
    case 'compact':
      return server.compact();
    case 'bookmark':
      return server.bookmark();
  }
}

async function quiesce(server: ModelServer, clock: VirtualClock, isDone: () => boolean): Promise<void> {
  server.faults.length = 0;
  for (let round = 0; round < 50 && !isDone(); round += 1) {
    await clock.advance(31_000);
    server.bookmark();
    server.deliver(Infinity);
    await settled();
  }
}

test.each([{ watchList: false }, { watchList: true }])(
  'whatever happens between server and cache, readers and handlers see one history, and in the end the same: %j',
  async (options) => {
    const logger = createLogger({ level: 'silent' });
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 1, maxLength: 40 }), async (actions) => {
        const server = new ModelServer();
        const clock = new VirtualClock();
        for (const each of ['a', 'b', 'c']) server.put(each);
        const informer = new Informer({
          transport: server.transport,
          kind: Thing,
          namespaces: () => wholeCluster,
          clock,
          logger,
          random: () => 0.5,
        });
        informer.configure(options);
        const views = [new View(informer)];
        const reader = new Reader(server, informer);
        const answers: (() => void)[] = [];
        const stop = new AbortController();
        const running = informer.run(stop.signal);
        for (const [index, step] of actions.entries()) {
          await perform(step, { server, clock, informer, reader, answers });
          await settled();
          if (index === 10) views.push(new View(informer));
          if (informer.isSynced) reader.look();
        }
        for (const answer of answers) answer();
        if (informer.isSynced) reader.look();
        const wanted = (): string[] => state(server.objects.values());
        await quiesce(
          server,
          clock,
          () => informer.isSynced && state(informer.list()).join() === wanted().join(),
        );
        await quiesce(server, clock, () => state(views[0]!.objects.values()).join() === wanted().join());
        expect(state(informer.list())).toEqual(wanted());
        for (const view of views) expect(state(view.objects.values())).toEqual(wanted());
        stop.abort();
        await running;
        expect(clock.delays).toEqual([]);
      }),
      { numRuns: 150 },
    );
  },
  60_000,
);
