import { writeFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { setImmediate as turn } from 'node:timers/promises';
import type { Kind, KubernetesObject } from 'ots-kubernetes';
import { ConfigMap, Namespace } from 'ots-kubernetes/core/v1';
import { Client, ControllerBuilder, Manager, createLogger, isAlreadyExists } from '../../src/index.ts';
import type { ManagerOptions } from '../../src/index.ts';
import { keyOf, keyText } from '../../src/objects/object-key.ts';
import { eventually } from '../eventually.ts';
import { Thing } from '../thing.ts';
import type { Backend } from './backend.ts';
import { Churn } from './churn.ts';
import { ThingOperator } from './fault-operator.ts';
import { FaultProxy } from './fault-proxy.ts';
import { MovableClock } from './movable-clock.ts';
import { LeaseWitness } from './lease-witness.ts';
import { isWatch } from './proxied-request.ts';
import { type Random, seeded } from './random.ts';
import { stateOf } from './kind-witness.ts';
import { Witness } from './witness.ts';

export interface StormOptions {
  /** Options of the manager, in addition to those that the storm sets. */
  manager?: Partial<ManagerOptions>;
  seed?: number;
  /** The namespace of an earlier storm, whose objects it takes over. Its own by default. */
  namespace?: string;
  /** Called before the manager starts. */
  prepare?: (manager: Manager) => void;
  /** The maximum number of objects. */
  objects?: number;
  /** Whether the operator keeps children and a status, or only reads. Default true. */
  children?: boolean;
  /** Whether the operator needs the leadership, which it loses while nothing gets through. Default true. */
  isElected?: boolean;
  /** The file from which the operator reads its token, and the token in it. By default the proxy checks no token. */
  tokenFile?: string;
  token?: string;
  /** The file with the authorities that the operator trusts. The storm writes it, and the proxy then speaks TLS. */
  caFile?: string;
}

let storms = 0;
/** Long enough for an operator to remain the leader in most storms. */
const longTerm = { leaseDuration: '10m', renewDeadline: '8m' } as const;
/** How long everything may take to settle, in real milliseconds. */
const patienceMs = 60_000;

/**
 * An operator behind a fault proxy, in its own namespace; a client that changes its objects over another connection; and a
 * witness. While nothing is in flight, time advances by the second, so no test waits for a backoff.
 */
export class Storm implements AsyncDisposable {
  readonly backend: Backend;
  readonly proxy: FaultProxy;
  readonly manager: Manager;
  readonly witness: Witness;
  readonly churn: Churn;
  readonly clock: MovableClock;
  readonly random: Random;
  readonly lease: LeaseWitness | undefined;
  /** Sends requests directly, not through the proxy. */
  readonly client: Client;
  readonly namespace: string;
  readonly log: string[];
  /** Settles when the manager ends. */
  run!: Promise<void>;

  /** Starts an operator, and waits until it has settled. */
  static async start(backend: Backend, options: StormOptions = {}): Promise<Storm> {
    storms += 1;
    const { namespace = `storm-${storms}` } = options;
    const { tokenFile, caFile, isElected = true } = options;
    const proxy = await FaultProxy.start(backend.connection, caFile === undefined ? undefined : true);
    proxy.token = options.token;
    if (caFile !== undefined) await writeFile(caFile, proxy.connection.caData!);
    const clock = new MovableClock();
    const log: string[] = [];
    const manager = await Manager.create(
      {
        connection: {
          ...proxy.connection,
          // The storm also advances the clock of the transport, and with it the watchdogs.
          clock,
          tokenFile,
          ...(caFile !== undefined && { caData: undefined, caFile }),
        },
        cache: { namespaces: [namespace] },
        ...(isElected && {
          leaderElection: { id: `leader-of-${namespace}`, namespace: 'default', ...longTerm },
        }),
        logger: createLogger({ level: 'debug', stream: { write: (line) => remember(log, line) } }),
        ...options.manager,
      },
      { clock },
    );
    proxy.pageSize = (options.objects ?? 0) > 1000 ? 500 : 7;
    const storm = new Storm({ backend, proxy, manager, clock, namespace, log }, options);
    options.prepare?.(manager);
    await storm.#start();
    return storm;
  }

  private constructor(
    parts: Pick<Storm, 'backend' | 'proxy' | 'manager' | 'clock' | 'namespace' | 'log'>,
    { seed = 1, objects, children = true, isElected = true }: StormOptions,
  ) {
    this.backend = parts.backend;
    this.proxy = parts.proxy;
    this.manager = parts.manager;
    this.clock = parts.clock;
    this.namespace = parts.namespace;
    this.log = parts.log;
    this.random = seeded(seed);
    this.witness = new Witness(children);
    if (isElected) this.proxy.observe((this.lease = new LeaseWitness(parts.clock, this.witness.complaints)));
    this.client = new Client(parts.backend.connection);
    this.churn = new Churn(this.client, parts.namespace, this.random, objects);
  }

  /** Creates the namespace. A server that has lost its data needs it again. */
  async settleIn(): Promise<void> {
    const metadata = { name: this.namespace };
    const namespace: Namespace = { apiVersion: 'v1', kind: 'Namespace', metadata };
    await this.client.create(Namespace, namespace).catch((error: unknown) => {
      if (!isAlreadyExists(error)) throw error;
    });
  }

  /** What has not settled yet, in words. */
  async differences(): Promise<string[]> {
    const things = await this.#compare(Thing);
    const maps = await this.#compare(ConfigMap);
    const problems = this.manager.cache.problems();
    const own = maps.items.filter(({ metadata }) => metadata.name !== 'kube-root-ca.crt');
    return [
      ...things.differences,
      ...maps.differences,
      ...this.witness.shortcomings(things.items, own),
      ...problems,
    ];
  }

  /**
   * Ends all faults, and waits until the operator has renewed its lease and everything has settled.
   *
   * @returns what the witness has seen that must never happen, in words
   */
  async calm(): Promise<readonly string[]> {
    await this.proxy.heal();
    const healed = this.clock.now();
    const deadline = performance.now() + patienceMs;
    for (;;) {
      // In every turn, since the requests also give a renewal the time to get through.
      const differences = await this.differences();
      if (this.lease && (this.lease.renewedAt ?? 0) < healed) differences.push('the lease was not renewed');
      if (differences.length === 0) break;
      if (performance.now() > deadline) {
        throw new Error(
          `it did not settle: ${differences.slice(0, 10).join('; ')}\n${this.log.slice(-20).join('')}`,
        );
      }
      this.look();
      if (!this.#isBusy) this.clock.skip(1000);
      await turn();
    }
    this.look();
    return this.witness.complaints;
  }

  /** Lets time pass in steps of a second, so the operator can renew its lease. */
  async pass(milliseconds: number): Promise<void> {
    for (let left = milliseconds; left > 0; left -= 1000) {
      this.clock.skip(Math.min(left, 1000));
      for (let turns = 0; turns < 10 || this.#isBusy; turns += 1) await turn();
    }
  }

  /** Waits until the operator has renewed its lease at its next attempt. */
  async renewal(): Promise<void> {
    const now = this.clock.now();
    this.clock.skip(2000);
    await eventually(() => (this.lease?.renewedAt ?? 0) > now, 'a renewal');
  }

  /** Waits until the operator watches both of its kinds. */
  async watching(): Promise<void> {
    await this.until(() => this.proxy.watches === 2, 'watches of both kinds');
  }

  /** Lets time pass until something holds, but not while requests are under way: on a busy machine, they would all time out. */
  async until(condition: () => boolean, what: string): Promise<void> {
    await eventually(() => {
      if (!this.#isBusy) this.clock.skip(1000);
      return condition();
    }, what);
  }

  /** Waits until the operator knows that the server has lost all objects. */
  async forgotten(): Promise<void> {
    const { things, configMaps } = this.witness;
    await this.until(() => things.known.size === 0 && configMaps.known.size === 0, 'the end of all objects');
  }

  /** Makes informers that watch list again: their watches end and cannot resume. */
  async relist(): Promise<void> {
    const { proxy } = this;
    const before = proxy.affected('expired watches');
    proxy.turnOn('expired watches');
    proxy.break('reset', isWatch);
    await this.until(() => proxy.affected('expired watches') >= before + 2, 'watches that cannot resume');
    proxy.turnOff('expired watches');
  }

  /** Reads the whole cache, as a reconciler might at any time. */
  look(): void {
    this.witness.look(this.manager.cache, this.churn.names, this.namespace);
  }

  /** Stops the operator, and checks that it leaves nothing behind. */
  async stop(): Promise<void> {
    await this.manager.stop();
    await eventually(() => this.proxy.connections === 0, 'the end of all connections');
    if (this.clock.pending > 0) throw new Error(`${this.clock.pending} timers are left`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.proxy.close();
    await this.manager.stop();
    await this.client.close();
  }

  async #start(): Promise<void> {
    const { manager, witness } = this;
    await this.settleIn();
    witness.attend(manager.cache);
    new ControllerBuilder(manager)
      .for(Thing)
      .owns(ConfigMap)
      .withOptions({ maxConcurrentReconciles: 8 })
      .complete(new ThingOperator(manager.client, witness));
    await this.churn.fill();
    this.run = manager.start();
    this.run.catch(() => {});
    await manager.ready;
    await this.calm();
  }

  /** Whether something is about to happen. Skipping time now would overtake it. */
  get #isBusy(): boolean {
    return this.proxy.isBusy || this.clock.isBehind;
  }

  async #compare<T extends KubernetesObject>(kind: Kind<T>): Promise<{ items: T[]; differences: string[] }> {
    const { namespace } = this;
    const { items } = await this.client.list(kind, { namespace });
    const cached = new Map(
      this.manager.cache.list(kind, { namespace }).map((object) => [keyText(keyOf(object)), object]),
    );
    const differences: string[] = [];
    for (const item of items) {
      const key = keyText(keyOf(item));
      const known = cached.get(key);
      cached.delete(key);
      if (!isDeepStrictEqual(known, item)) {
        differences.push(`${kind.kind} ${key} is ${stateOf(item)}, cached as ${stateOf(known)}`);
      }
    }
    for (const key of cached.keys()) differences.push(`${kind.kind} ${key} is cached, but gone`);
    const { known } = kind.kind === 'Thing' ? this.witness.things : this.witness.configMaps;
    if (known.size !== items.length) differences.push(`handlers know ${known.size} ${kind.plural}`);
    return { items: [...items] as T[], differences };
  }
}

/** Keeps the latest lines for the message of a failing test. */
function remember(log: string[], line: string): void {
  log.push(line);
  if (log.length > 1000) log.splice(0, 900);
}
