import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ConfigMap } from 'ots-kubernetes/core/v1';
import {
  Client,
  ControllerBuilder,
  type ConnectionConfig,
  type DeepReadonly,
  Manager,
  createLogger,
  isNotFound,
} from 'ots-runtime';
import { expect, test } from 'vitest';
import { propertyRuns } from '../../../../test/support/property-runs.ts';
import { TestEnvironment } from '../environment/test-environment.ts';

const namespace = 'default';
const replicas = ['a', 'b', 'c'] as const;
type Name = (typeof replicas)[number];
const names = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'];

type Action =
  | { type: 'start' | 'stop' | 'freeze' | 'awaken'; replica: Name }
  | { type: 'put' | 'delete'; name: string }
  | { type: 'watch'; replica: Name; effect: 'drop' | 'half-open' | 'expire' }
  | { type: 'restart' | 'compact' | 'pass' };

const replica = fc.constantFrom(...replicas);
const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ type: fc.constantFrom('start', 'stop', 'freeze', 'awaken'), replica }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ type: fc.constantFrom('put', 'delete'), name: fc.constantFrom(...names) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('watch'),
      replica,
      effect: fc.constantFrom('drop', 'half-open', 'expire'),
    }),
  },
  { weight: 4, arbitrary: fc.record({ type: fc.constantFrom('restart', 'compact', 'pass') }) },
);

/** A replica of an operator of ConfigMaps. */
class Replica {
  readonly manager: Manager;
  /** What a handler knows of the ConfigMaps. */
  readonly handled = new Map<string, string | undefined>();
  /** The last version of each ConfigMap that it reconciled. */
  readonly reconciled = new Map<string, string | undefined>();

  static async start(name: Name, connection: ConnectionConfig): Promise<Replica> {
    const sharding = {
      leasePrefix: 'maps',
      by: 'uid',
      namespace,
      identity: name,
      divideCache: true,
    } as const;
    const logger = createLogger({ level: 'silent' });
    const manager = await Manager.create({ connection, logger, sharding });
    const started = new Replica(manager);
    manager.start().catch(() => {});
    return started;
  }

  private constructor(manager: Manager) {
    this.manager = manager;
    new ControllerBuilder(manager).for(ConfigMap).complete(async (request) => {
      const found = await manager.client.get(ConfigMap, request);
      this.reconciled.set(request.name, found?.data?.['n']);
    });
    const put = (object: DeepReadonly<ConfigMap>): void =>
      void this.handled.set(object.metadata.name!, object.data?.['n']);
    const remove = (object: DeepReadonly<ConfigMap>): void => {
      assert.ok(this.handled.delete(object.metadata.name!), 'it has left before it came');
    };
    manager.cache.informer(ConfigMap).addHandler({
      added: (object) => {
        assert.ok(!this.handled.has(object.metadata.name!), 'it came twice');
        put(object);
      },
      updated: (_, object) => put(object),
      deleted: remove,
      uncached: remove,
    });
  }

  get cached(): string[] {
    return this.manager.cache.list(ConfigMap).map(textOf);
  }
}

/** Replicas that divide ConfigMaps by their UIDs. */
class Dividing implements AsyncDisposable {
  readonly environment: TestEnvironment;
  readonly client: Client;
  readonly #running = new Map<Name, Replica>();
  /** Frozen replicas, whose requests wait. */
  readonly #frozen = new Map<Name, { remove(): void }>();
  #version = 0;

  static async start(seed: number, hasSelectors: boolean): Promise<Dividing> {
    const environment = await TestEnvironment.start({
      env: {},
      clock: 'virtual',
      seed,
      ...(hasSelectors && { enableFeatureGates: ['ShardedListAndWatch'] }),
    });
    const dividing = new Dividing(environment);
    for (const name of names) await dividing.#put(name);
    await dividing.#start('a');
    return dividing;
  }

  private constructor(environment: TestEnvironment) {
    this.environment = environment;
    this.client = new Client(environment.config, { fieldOwner: 'test' });
  }

  async perform(step: Action): Promise<void> {
    const { faults } = this.environment;
    switch (step.type) {
      case 'start':
        return this.#start(step.replica);
      case 'stop':
        return this.#stop(step.replica);
      case 'freeze':
        if (this.#running.has(step.replica) && !this.#frozen.has(step.replica))
          this.#frozen.set(step.replica, faults.add({ user: step.replica }, { latency: '10m' }));
        return undefined;
      case 'awaken':
        return this.#awaken(step.replica);
      case 'put':
        return this.#put(step.name);
      case 'delete':
        return this.client.delete(ConfigMap, { name: step.name, namespace }).catch(ignoreNotFound);
      case 'watch':
        faults.add(
          { verbs: ['watch'], resource: 'configmaps', user: step.replica, times: 1 },
          { watch: step.effect },
        );
        return undefined;
      case 'restart':
        return this.environment.restart();
      case 'compact':
        return faults.compact();
      case 'pass':
        return this.environment.advance('4s');
    }
  }

  /** Ends all faults, and lets the time pass that the replicas need after any of them. */
  async quiesce(): Promise<void> {
    for (const name of replicas) this.#awaken(name);
    this.environment.faults.clear();
    if (this.#running.size === 0) await this.#start('a');
    await this.environment.advance('20m');
  }

  async contents(): Promise<{ server: string[]; cached: string[]; handled: string[]; missed: string[] }> {
    const { items } = await this.client.list(ConfigMap, { namespace });
    const own = items.filter(({ metadata }) => names.includes(metadata.name!));
    const live = [...this.#running.values()];
    const handled = live.flatMap((each) => [...each.handled].map(([name, n]) => `${name} ${n}`));
    const isReconciled = (object: DeepReadonly<ConfigMap>): boolean =>
      live.some(({ reconciled }) => reconciled.get(object.metadata.name!) === object.data?.['n']);
    return {
      server: own.map(textOf).toSorted(),
      cached: live.flatMap(({ cached }) => cached).toSorted(),
      handled: handled.toSorted(),
      missed: own.filter((object) => !isReconciled(object)).map(textOf),
    };
  }

  async #start(name: Name): Promise<void> {
    if (this.#running.has(name)) return;
    const connection = await this.environment.as({ user: name, groups: ['system:masters'] });
    this.#running.set(name, await Replica.start(name, connection));
  }

  async #stop(name: Name): Promise<void> {
    this.#awaken(name);
    const stopped = this.#running.get(name)?.manager.stop();
    this.#running.delete(name);
    if (!stopped) return;
    await this.environment.advance('1m');
    await stopped;
  }

  #awaken(name: Name): void {
    this.#frozen.get(name)?.remove();
    this.#frozen.delete(name);
  }

  async #put(name: string): Promise<void> {
    this.#version += 1;
    const data = { n: String(this.#version) };
    await this.client.apply(ConfigMap, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, namespace },
      data,
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const name of replicas) await this.#stop(name);
    await this.client.close();
    await this.environment.stop();
  }
}

function textOf({ metadata, data }: DeepReadonly<ConfigMap>): string {
  return `${metadata.name} ${data?.['n']}`;
}

function ignoreNotFound(error: unknown): void {
  if (!isNotFound(error)) throw error;
}

test(
  'replicas that divide a cache have each object once, whatever happened to them',
  { timeout: 240_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(action, { minLength: 5, maxLength: 25 }),
        fc.nat(1000),
        fc.boolean(),
        async (steps, seed, hasSelectors) => {
          await using dividing = await Dividing.start(seed, hasSelectors);
          for (const step of steps) await dividing.perform(step);
          await dividing.quiesce();
          const { server, cached, handled, missed } = await dividing.contents();
          expect({ cached, handled, missed }).toEqual({ cached: server, handled: server, missed: [] });
        },
      ),
      { numRuns: propertyRuns(4) },
    );
  },
);
