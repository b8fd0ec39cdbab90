import type { Kind } from 'ots-kubernetes';
import type { Cache } from '../cache/cache.ts';
import type { Controller } from '../controller/controller.ts';
import type { ControllerCluster, ControllerHost, NewController } from '../controller/controller-host.ts';
import type { Source } from '../controller/source.ts';
import { errorMessage } from '../errors/error-message.ts';
import { UsageError } from '../errors/usage-error.ts';
import { type ConnectionConfig, ConnectionConfigError } from '../kubeconfig/connection-config.ts';
import type { Logger } from '../logging/logger.ts';
import type { Manager } from '../manager/manager.ts';
import type { ManagerCacheOptions } from '../manager/manager-options.ts';
import { untilAborted } from '../signals/until-aborted.ts';
import { ClusterLeftError, UnknownClusterError } from './cluster-errors.ts';
import type { ClusterProvider, ClusterSet } from './cluster-provider.ts';
import { ClusterSource, type Members } from './cluster-source.ts';
import { ClustersCache } from './clusters-cache.ts';
import { type ClusterAccess, Member } from './member.ts';

const unnamed = 'the provider of clusters has not named them yet';

/** What a set of clusters consists of. */
export interface ClustersOptions {
  /** Knows which clusters there are. */
  provider: ClusterProvider;
  /** Options of all kinds in the cache of each cluster; by default everything is cached. */
  cache?: ManagerCacheOptions | undefined;
}

/**
 * Clusters whose objects controllers of one manager reconcile. They join and leave at run time:
 * ```ts
 * const clusters = new Clusters(manager, { provider: secretClusters({ namespace: 'fleet' }) });
 * new ControllerBuilder(clusters).for(MyApp).owns(Deployment).complete(async (request) => {
 *   const { client } = clusters.get(request.cluster);
 *   const app = await client.get(MyApp, request);
 * });
 * ```
 * Each cluster has its own connections, caches and workers: one that does not respond delays no other, and neither the start nor
 * the readiness of the manager. The lease of the manager's own cluster decides who works in all of them.
 */
export class Clusters implements ControllerHost {
  /** What the cache of every cluster has, besides what controllers watch. */
  readonly cache = new ClustersCache();
  readonly #manager: Manager;
  readonly #options: ClustersOptions;
  readonly #logger: Logger;
  readonly #members = new Map<string, Member>();
  /** Why clusters that the provider names have not joined. */
  readonly #unusable = new Map<string, string>();
  readonly #leaving = new Set<Promise<void>>();
  readonly #controllers: Controller[] = [];
  readonly #listeners = new Set<(member: Member) => void>();
  readonly #events: Members = {
    synced: () => [...this.#members.values()].filter(({ isSynced }) => isSynced),
    onSynced: (listener) => {
      this.#listeners.add(listener);
      return () => this.#listeners.delete(listener);
    },
  };
  #isNamed = false;
  #isClosed = false;

  /**
   * Adds clusters to the manager, which asks the provider for them after its own caches are synced, on every replica.
   * @throws {UsageError} when the manager is stopping.
   */
  constructor(manager: Manager, options: ClustersOptions) {
    this.#manager = manager;
    this.#options = options;
    this.#logger = manager.logger;
    manager.others.add({
      counts: () => this.#counts(),
      busyWith: () => this.#busyWith(),
      behind: (signal) => this.#behind(signal),
      close: (inTime) => this.#close(inTime),
    });
    manager.add({
      name: 'clusters',
      needsLeaderElection: false,
      start: (signal) => this.#follow(signal),
    });
  }

  /** The names of the clusters that have joined. */
  get names(): string[] {
    return [...this.#members.keys()];
  }

  /**
   * Access to the cluster of a request: `clusters.get(request.cluster)`.
   * @param name undefined is the manager's own cluster.
   * @throws {UnknownClusterError} if the cluster has not joined, or has left.
   */
  get(name: string | undefined): ClusterAccess {
    if (name === undefined || name === '') return this.#manager;
    const member = this.#members.get(name);
    if (!member) throw new UnknownClusterError(name);
    return member.access;
  }

  /**
   * Why clusters are not as their provider and the controllers want them: one text for each problem, which begins with the name of
   * the cluster. Empty if there is none.
   */
  problems(): string[] {
    if (!this.#isNamed) return [unnamed];
    const unusable = [...this.#unusable].map(([name, problem]) => `${name}: ${problem}`);
    const members = [...this.#members.values()];
    return [
      ...unusable,
      ...members.flatMap(({ name, problems }) => problems.map((each) => `${name}: ${each}`)),
    ];
  }

  /**
   * For ControllerBuilder.
   * @internal
   */
  createController(options: NewController): Controller {
    const controller = this.#manager.createController({
      ...options,
      hasCluster: (name) => this.#members.has(name),
    });
    controller.workFor(this.#members.size);
    this.#controllers.push(controller);
    return controller;
  }

  /**
   * For ControllerBuilder.
   * @internal
   */
  sourceOf(kind: Kind, make: (cache: Cache) => Source): Source {
    return new ClusterSource(kind, this.#events, make);
  }

  /**
   * For ControllerBuilder. A request may be about a cluster that has just left.
   * @internal
   */
  clusterOf(name: string | undefined): ControllerCluster | undefined {
    return name === undefined || name === '' ? this.#manager : this.#members.get(name)?.access;
  }

  /** Runs the controller. */
  add(controller: Controller): void {
    this.#manager.add(controller);
  }

  /** Until the signal aborts, or the provider has no more to say. */
  async #follow(signal: AbortSignal): Promise<void> {
    const { clock } = this.#manager;
    const context = { manager: this.#manager, signal, clock, logger: this.#logger };
    const sets = this.#options.provider.clusters(context)[Symbol.asyncIterator]();
    const aborted = untilAborted(signal);
    while (!signal.aborted) {
      const next = await Promise.race([sets.next(), aborted]);
      if (next && !next.done) this.#set(next.value);
      this.#isNamed = true;
      if (next?.done) return;
    }
    // Its cleanup runs when it notices the signal, too.
    sets
      .return?.()
      .catch((error: unknown) =>
        this.#logger.error({ err: error }, 'the provider of clusters failed while stopping'),
      );
  }

  #set(clusters: ClusterSet): void {
    if (this.#isClosed) return;
    for (const member of this.#members.values())
      if (!Object.hasOwn(clusters, member.name)) this.#leave(member);
    for (const name of this.#unusable.keys()) if (!Object.hasOwn(clusters, name)) this.#unusable.delete(name);
    for (const [name, connection] of Object.entries(clusters)) this.#connect(name, connection);
    for (const controller of this.#controllers) controller.workFor(this.#members.size);
  }

  #connect(name: string, connection: ConnectionConfig | Error): void {
    if (name === '') {
      throw new UsageError(
        'A provider names a cluster with an empty text',
        'Give it a name; the own cluster has none.',
      );
    }
    try {
      if (connection instanceof Error) throw connection;
      const member = this.#members.get(name);
      if (!member?.renew(connection)) {
        if (member) this.#leave(member);
        this.#join(name, connection);
      }
      this.#complain(name, undefined);
    } catch (error) {
      if (error !== connection && !(error instanceof ConnectionConfigError)) throw error;
      this.#complain(name, errorMessage(error));
    }
  }

  /** Says once what is wrong. */
  #complain(name: string, problem: string | undefined): void {
    const member = this.#members.get(name);
    const before = member ? member.complaint : this.#unusable.get(name);
    if (member) member.complaint = problem;
    if (member || problem === undefined) this.#unusable.delete(name);
    else this.#unusable.set(name, problem);
    if (problem !== undefined && problem !== before)
      this.#logger.error({ cluster: name, problem }, 'the connection to a cluster cannot be used');
  }

  #join(name: string, connection: ConnectionConfig): void {
    const cluster = this.#manager.openCluster(name, connection, this.#options.cache);
    const member = new Member(name, connection, cluster);
    this.cache.join(cluster.cache);
    this.#members.set(name, member);
    this.#logger.info({ cluster: name, server: connection.server }, 'a cluster has joined');
    void member.start().then((isSynced) => {
      if (!isSynced) return;
      this.#logger.info({ cluster: name }, 'the caches of a cluster are synced');
      for (const listener of this.#listeners) listener(member);
    });
  }

  #leave(member: Member): void {
    const { name } = member;
    this.#members.delete(name);
    this.cache.leave(member.access.cache);
    const reason = new ClusterLeftError(name);
    for (const controller of this.#controllers) controller.leave(name, reason);
    this.#logger.info({ cluster: name }, 'a cluster has left');
    const ended = member.leave(reason, false).finally(() => this.#leaving.delete(ended));
    this.#leaving.add(ended);
  }

  #counts(): { synced: number; waiting: number } {
    const synced = this.#events.synced().length;
    return { synced, waiting: this.#members.size - synced + this.#unusable.size };
  }

  #busyWith(): string[] {
    if (!this.#isNamed) return [unnamed];
    const waiting = [...this.#members.values()].filter(({ isSynced }) => !isSynced);
    return waiting.map(({ name, problems }) => `the cluster ${name} is not synced: ${problems.join(', ')}`);
  }

  async #behind(signal: AbortSignal): Promise<string[]> {
    const ask = async ({ name, access }: Member): Promise<string[]> => {
      try {
        return (await access.cache.behind(signal)).map((kind) => `${kind} of ${name}`);
      } catch (error) {
        signal.throwIfAborted();
        return [`${name}, which does not respond (${errorMessage(error)}),`];
      }
    };
    return (await Promise.all([...this.#members.values()].map(ask))).flat();
  }

  async #close(inTime: boolean): Promise<void> {
    this.#isClosed = true;
    const reason = new UsageError('The manager has stopped', 'Start another.');
    const members = [...this.#members.values()];
    await Promise.all([...members.map((member) => member.leave(reason, inTime)), ...this.#leaving]);
  }
}
