import type { Kind } from 'ots-kubernetes';
import type { Cache } from '../cache/cache.ts';
import type { Client } from '../client/client.ts';
import { type Clock, systemClock } from 'ots-apimachinery/clock/clock';
import type { Controller } from '../controller/controller.ts';
import type { ControllerCluster, ControllerHost, NewController } from '../controller/controller-host.ts';
import type { Source } from '../controller/source.ts';
import { currentWork } from '../context/work-context.ts';
import { AccessDeniedError } from '../errors/access-denied-error.ts';
import { type ApiError, isForbidden } from '../errors/api-error.ts';
import { missingRule } from '../errors/missing-rule.ts';
import { UsageError } from '../errors/usage-error.ts';
import type { EventRecorder } from '../events/event-recorder.ts';
import { ReconcileHistory } from '../debugging/reconcile-history.ts';
import type { HealthCheck } from '../health/health-checks.ts';
import type { Endpoints } from '../health/health-server.ts';
import type { createElector } from '../leader-election/create-elector.ts';
import { createLogger } from '../logging/create-logger.ts';
import type { Logger } from '../logging/logger.ts';
import type { RestMapper } from '../mapping/rest-mapper.ts';
import type { ManagerMetrics } from '../metrics/manager-metrics.ts';
import type { MetricSet } from '../metrics/metric-set.ts';
import { namespaceOwnership } from '../sharding/namespace-ownership.ts';
import { objectOwnership } from '../sharding/object-ownership.ts';
import type { ConnectedSharding, createSharding } from '../sharding/create-sharding.ts';
import { createTracer } from '../tracing/create-tracer.ts';
import type { Tracer } from '../tracing/tracer.ts';
import { ConversionRegistry } from '../webhook/conversion-registry.ts';
import type { WebhookHost } from '../webhook/webhook-host.ts';
import { WebhookRegistry } from '../webhook/webhook-registry.ts';
import { Cluster } from './cluster.ts';
import { Controllers } from './controllers.ts';
import { Election } from './election.ts';
import { type IdleOptions, untilIdle } from './idleness.ts';
import { Lifecycle } from './lifecycle.ts';
import type { ConnectionConfig } from '../kubeconfig/connection-config.ts';
import type { ManagerCacheOptions, ManagerOptions } from './manager-options.ts';
import { OtherClusters } from './other-clusters.ts';
import { ManagerServers, type ServerName } from './manager-servers.ts';
import { ownChecks } from './own-checks.ts';
import type { Runnable } from './runnable.ts';
import { reportServer, reportStart } from './start-report.ts';
import { shutdownTimeoutOf } from './shutdown-timeout.ts';
import { Work } from './work.ts';

/** For tests. */
export interface ManagerInternals {
  /**
   * The operator's clock, that of the connection by default. Everything that waits for the network uses the connection's clock;
   * see `ConnectionConfig.clock`.
   */
  clock?: Clock | undefined;
  /**
   * Whether the manager fails at the first request that RBAC denies, instead of trying again later: `ready`, `idle` and
   * `start` then reject with an `AccessDeniedError` that has the missing `@rbac` tag. False by default.
   */
  failOnDenied?: boolean | undefined;
}

/** Modules that are loaded only if the options need them. */
interface Extras {
  clock: Clock;
  failOnDenied: boolean;
  metrics: ManagerMetrics | undefined;
  createElector: typeof createElector | undefined;
  createSharding: typeof createSharding | undefined;
  tracer: Tracer | undefined;
}

/**
 * Runs an operator: its servers, its cache, its controllers. It starts them in order of their dependencies (servers,
 * caches, work on every replica, then work on the leader), stops them in reverse order, and stops all of them if one
 * fails.
 *
 * `await using manager = await Manager.create(…)` stops it at the end of the block.
 */
export class Manager implements ControllerHost, WebhookHost {
  /**
   * Reads from the cache, which has the kinds that controllers watch and those of `cache.add`. Writes to the server.
   */
  readonly client: Client;
  /** Reads from the API server: for kinds that are not in the cache, and for reads that must not be stale. */
  readonly apiReader: Client;
  /** The objects of the kinds that controllers watch, in memory. */
  readonly cache: Cache;
  /** Finds the kinds of the API server. */
  readonly mapper: RestMapper;
  /** The logger of the options, or the default one. */
  readonly logger: Logger;
  /**
   * For WebhookBuilder.
   * @internal
   */
  readonly webhooks = new WebhookRegistry();
  /**
   * For ConversionBuilder.
   * @internal
   */
  readonly conversions: ConversionRegistry;
  /** For custom metrics; undefined if metrics are off. */
  readonly metrics: MetricSet | undefined;
  /**
   * The operator's.
   * @internal
   */
  readonly clock: Clock;
  /**
   * What `Clusters` add.
   * @internal
   */
  readonly others = new OtherClusters();
  /** Returns the current time by the clock of the manager, which tests with virtual time move. It may be passed on. */
  readonly now: () => Date;
  /**
   * A number in [0, 1), by that of the connection.
   * @internal
   */
  readonly random: () => number;

  readonly #options: ManagerOptions;
  readonly #onRefusal: ((error: ApiError) => void) | undefined;
  readonly #cluster: Cluster;
  readonly #openCluster: (name: string, options: Pick<ManagerOptions, 'connection' | 'cache'>) => Cluster;
  readonly #controllers: Controllers;
  readonly #lifecycle: Lifecycle;
  readonly #work: Work;
  readonly #election: Election | undefined;
  readonly #sharding: ConnectedSharding | undefined;
  readonly #servers: ManagerServers;
  readonly #endpoints: Endpoints;

  /**
   * Creates a manager. It connects to nothing and binds no port before `start`.
   * @throws {ConnectionConfigError} if the server's URL is invalid; {UsageError} if options conflict, a duration is
   *   invalid, or the namespace for leader election or sharding is unknown.
   */
  static async create(
    options: ManagerOptions,
    { clock = options.connection.clock ?? systemClock, failOnDenied = false }: ManagerInternals = {},
  ): Promise<Manager> {
    const [metrics, election, sharding, tracer] = await Promise.all([
      options.metrics ? import('../metrics/manager-metrics.ts') : undefined,
      options.leaderElection ? import('../leader-election/create-elector.ts') : undefined,
      options.sharding ? import('../sharding/create-sharding.ts') : undefined,
      createTracer(),
    ]);
    return new Manager(options, {
      clock,
      failOnDenied,
      metrics: metrics && new metrics.ManagerMetrics(),
      createElector: election?.createElector,
      createSharding: sharding?.createSharding,
      tracer,
    });
  }

  private constructor(options: ManagerOptions, extras: Extras) {
    const { clock, metrics, tracer } = extras;
    const { leaderElection } = options;
    const logger = options.logger ?? createLogger();
    this.logger = logger;
    this.clock = clock;
    this.now = () => new Date(clock.epoch());
    this.random = options.connection.random ?? Math.random;
    this.#options = options;
    this.metrics = metrics;
    this.#onRefusal = extras.failOnDenied ? (error) => this.#failIfDenied(error) : undefined;
    const { sharding } = options;
    const divides = sharding && sharding.divideCache ? sharding.by : undefined;
    this.#cluster = new Cluster(options, {
      metrics,
      tracer,
      clock,
      logger,
      onRefusal: this.#onRefusal,
      ownership: divides === 'namespace' ? namespaceOwnership(() => this.#sharding!.member) : undefined,
      objectOwnership: divides === 'uid' ? objectOwnership(() => this.#sharding!.member) : undefined,
    });
    this.#openCluster = (name, { connection, cache: cacheOptions }) =>
      new Cluster(
        { connection, userAgent: options.userAgent, cache: cacheOptions },
        {
          metrics: metrics && { transport: () => metrics.transport(), events: () => metrics.events() },
          tracer,
          clock,
          logger: logger.child({ cluster: name }),
          onRefusal: undefined,
        },
      );
    metrics?.clusters(() => this.others.counts);
    const { cache, client, apiReader, networkClock } = this.#cluster;
    this.cache = cache;
    this.client = client;
    this.apiReader = apiReader;
    this.mapper = apiReader.mapper;
    this.conversions = new ConversionRegistry(this.webhooks, logger);
    this.#lifecycle = new Lifecycle({
      clock,
      logger,
      shutdownTimeout: shutdownTimeoutOf(options.gracefulShutdownTimeout),
      releaseOnStop: leaderElection ? (leaderElection.releaseOnStop ?? true) : false,
    });
    this.#work = new Work({ logger, onFailure: (error) => this.#lifecycle.fail(error) });
    if (metrics) this.#work.add(metrics.monitor(logger));
    this.#election = this.#electionOf(options, extras);
    const election = this.#election;
    this.#sharding = this.#shardingOf(options, extras);
    const member = this.#sharding?.member;
    const fence = election && (() => election.fence());
    const history = options.metrics && options.metrics.debugReconciles ? new ReconcileHistory() : undefined;
    this.#controllers = new Controllers({
      clock,
      networkClock,
      logger,
      metrics,
      tracer,
      fence,
      cache,
      sharding: sharding && member ? { ...sharding, member } : undefined,
      track: options.connection.track,
      debugger: history,
    });
    this.#endpoints = ownChecks(
      { lifecycle: this.#lifecycle, cache, election, sharding: member },
      { clock: networkClock, logger },
    );
    const announce = (): void => logger.info({ ports: this.ports }, 'the manager is ready');
    this.ready.then(announce, () => {});
    this.#servers = new ManagerServers(options, {
      client: apiReader,
      webhooks: this.webhooks,
      conversions: this.conversions,
      metrics,
      debug: history && { history, queues: () => this.#controllers.inspect() },
      tracer,
      clock,
      networkClock,
      logger,
      endpoints: this.#endpoints,
    });
  }

  /**
   * Resolves when the caches are synced and everything that does not need leadership runs: a standby is ready too.
   * Rejects if startup fails.
   */
  get ready(): Promise<void> {
    return this.#lifecycle.ready.promise;
  }

  /**
   * Resolves when this replica leads and has started everything that needs leadership; without leader election, when it
   * is ready. Rejects if the manager stops first.
   */
  get elected(): Promise<void> {
    return this.#lifecycle.elected.promise;
  }

  /**
   * The clock of everything that waits for a network.
   * @internal
   */
  get networkClock(): Clock {
    return this.#cluster.networkClock;
  }

  /** The ports of its servers while they listen. */
  get ports(): Partial<Record<ServerName, number>> {
    return this.#servers.ports;
  }

  /**
   * Adds something that runs after the caches are synced, and only on the leader unless it says otherwise. In a running
   * manager it starts at once.
   * @throws {UsageError} when the manager is stopping, or has sharding but no leader election to run it on one replica.
   */
  add(runnable: Runnable): void {
    if (this.#lifecycle.stopping.aborted) throw new UsageError('The manager is stopping', 'Add it before.');
    if (this.#sharding && !this.#election && runnable.needsLeaderElection !== false) {
      throw new UsageError(
        `${runnable.name ?? 'A runnable'} needs a leader, and the replicas of this manager elect none`,
        'Pass leaderElection beside sharding, or set needsLeaderElection to false to run it on every replica.',
      );
    }
    this.#work.add(runnable);
  }

  /**
   * For ControllerBuilder, which adds the controller when its sources are known.
   * @internal
   * @throws {UsageError} when the name is taken.
   */
  createController(options: NewController): Controller {
    return this.#controllers.create(options);
  }

  /**
   * For work that gives way to the controllers: whether one of them has requests that wait.
   * @internal
   */
  get isBusy(): boolean {
    return this.#controllers.hasWaiting;
  }

  /**
   * For ControllerBuilder: all requests are about its own cluster.
   * @internal
   */
  clusterOf(): ControllerCluster {
    return this;
  }

  /**
   * For ControllerBuilder.
   * @internal
   */
  sourceOf(_kind: Kind, make: (cache: Cache) => Source): Source {
    return make(this.cache);
  }

  /**
   * For Clusters: access to another cluster, with the name and the clock of this operator.
   * @throws {ConnectionConfigError} if the connection contradicts itself, or its server is not a URL.
   * @internal
   */
  openCluster(name: string, connection: ConnectionConfig, cache: ManagerCacheOptions | undefined): Cluster {
    return this.#openCluster(name, { connection, cache });
  }

  /**
   * For providers of clusters: a cache with its own watches on the manager's cluster, so that its selection of objects is not
   * that of controllers.
   * @internal
   */
  createCache(namespaces: readonly string[]): Cache {
    return this.#cluster.createCache(namespaces);
  }

  /**
   * Returns the recorder with this name for events, which `kubectl describe` shows.
   * @param controller the source that the events show.
   * @throws {UsageError} if events cannot have this name.
   */
  eventRecorder(controller: string): EventRecorder {
    return this.#cluster.recorders.recorder(controller);
  }

  /**
   * Adds a check to `/healthz`: if it fails, the kubelet restarts the container.
   * @throws {UsageError} when the name is taken, or cannot be part of a path.
   */
  addHealthCheck(name: string, check: HealthCheck): void {
    this.#endpoints.healthz.add(name, check);
  }

  /**
   * Adds a check to `/readyz`: while it fails, the pod receives no webhook requests.
   * @throws {UsageError} when the name is taken, or cannot be part of a path.
   */
  addReadyCheck(name: string, check: HealthCheck): void {
    this.#endpoints.readyz.add(name, check);
  }

  /**
   * Runs until the signal aborts or `stop` is called, and resolves when everything has stopped.
   * @throws {UsageError} if it is called twice. {ConnectionError} if the API server cannot be reached at the start; it
   *   waits out later outages. {ApiError} `isUnauthorized` if the server does not accept the credentials.
   *   {ListenError}, {CertificateError} if a server cannot start. {CacheSyncError} if the caches do not sync.
   *   {LeadershipLostError} if another replica may lead: end the process then, because work that ignores its signal
   *   still runs. {ShutdownTimeoutError} if something does not stop in time. Otherwise the error of the first failing
   *   runnable. {ManagerError} if the stop failed too.
   */
  async start(signal?: AbortSignal): Promise<void> {
    await this.#lifecycle.run(
      {
        connect: (stopping) => this.#connect(stopping),
        servers: this.#servers,
        cache: this.cache,
        work: this.#work,
        election: this.#election,
        disconnect: (inTime) => this.#disconnect(inTime),
        sharding: this.#sharding,
      },
      signal,
    );
  }

  /**
   * For tests: resolves when the operator has handled everything that the API server has now. Then no controller runs or
   * has ready requests in its queue, and the caches have every change of their kinds, which this checks with the server.
   * Delayed requests do not count: a `requeueAfter`, or the retry of a failure. Neither does work outside of
   * controllers. With leader election, wait for `elected` first: on a standby no controller runs.
   *
   * `await client.create(MyApp, app); await manager.idle();`
   * @throws {WaitTimeoutError} after `timeout`; it says what is still busy. What `start` rejects with, when the manager
   *   fails. {UsageError} when the manager stops. The signal's reason when it aborts.
   */
  idle(options: IdleOptions = {}): Promise<void> {
    const { cache, others } = this;
    const controllers = this.#controllers;
    const parts = {
      lifecycle: this.#lifecycle,
      controllers: {
        get runs() {
          return controllers.runs;
        },
        get busyWith() {
          return [...others.busyWith, ...controllers.busyWith];
        },
      },
      sharding: this.#sharding?.member,
      cache: {
        behind: async (signal: AbortSignal) =>
          (await Promise.all([cache.behind(signal), others.behind(signal)])).flat(),
      },
      networkClock: this.#cluster.networkClock,
    };
    // oxlint-disable-next-line typescript/unbound-method -- it is not called: stacks begin at its caller
    return untilIdle(Manager.prototype.idle, parts, options);
  }

  /**
   * Stops gracefully and resolves when everything has stopped. Never rejects: `start` reports failures. A reconciler or
   * other work of the manager may call it but must not await it: it would wait for itself. In the virtual time of a test environment,
   * time passes for as long as something that still runs needs it.
   */
  async stop(): Promise<void> {
    const stopped = this.#stop();
    await this.#options.connection.passTime?.(stopped);
    await stopped;
  }

  async #stop(): Promise<void> {
    await this.#lifecycle.stop();
    // A manager that never started has only opened connections for its clients.
    await this.#disconnect(false);
  }

  /** As `stop`, for `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  async #disconnect(inTime: boolean): Promise<void> {
    await this.others.close(inTime);
    await this.#cluster.close(inTime);
  }

  async #connect(signal: AbortSignal): Promise<void> {
    const controllers = this.#controllers.names;
    reportStart(this.logger, this.#options, { controllers, webhooks: this.webhooks.paths });
    // A component of a cluster knows its server.
    if (!this.#options.connection.call) await reportServer(this.logger, this.apiReader, signal);
  }

  /** Other refusals, such as those of a webhook, are for the code that sent the request. */
  #failIfDenied(error: ApiError): void {
    if (!isForbidden(error) || missingRule(error.message) === undefined) return;
    const { group = '', kind: plural = '' } = error.details ?? {};
    const author = currentWork()?.author;
    const authors = author === undefined ? this.#controllers.watching(group, plural) : [author];
    this.#lifecycle.fail(new AccessDeniedError(error, authors));
  }

  /** What keeps a Lease uses this. */
  get #leaseHolder() {
    const { connection, userAgent } = this.#options;
    const { reachability } = this.#cluster;
    const { clock, logger } = this;
    return { connection, userAgent, clock, logger, reachability, onRefusal: this.#onRefusal };
  }

  #shardingOf(
    { sharding }: ManagerOptions,
    { metrics, createSharding }: Extras,
  ): ConnectedSharding | undefined {
    if (!sharding || !createSharding) return undefined;
    return createSharding(sharding, {
      ...this.#leaseHolder,
      observer: metrics?.sharding(sharding.leasePrefix),
    });
  }

  #electionOf({ leaderElection }: ManagerOptions, { metrics, createElector }: Extras): Election | undefined {
    if (!leaderElection || !createElector) return undefined;
    const connected = createElector(leaderElection, {
      ...this.#leaseHolder,
      observer: metrics?.election(),
      record: (lease, leads, note) => this.#cluster.recorders.electionEvent(lease, leads, note),
    });
    return new Election({
      ...connected,
      onElected: (leadership) => {
        this.#work.lead(leadership);
        this.#lifecycle.elected.reach();
      },
      onLost: (error) => this.#lifecycle.fail(error),
    });
  }
}
