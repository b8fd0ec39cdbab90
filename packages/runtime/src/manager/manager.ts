import type { Cache } from '../cache/cache.ts';
import type { Client } from '../client/client.ts';
import { type Clock, systemClock } from '../clock/clock.ts';
import type { Controller } from '../controller/controller.ts';
import type { ControllerHost, NewController } from '../controller/controller-host.ts';
import { UsageError } from '../errors/usage-error.ts';
import type { EventRecorder } from '../events/event-recorder.ts';
import type { HealthCheck } from '../health/health-checks.ts';
import type { Endpoints } from '../health/health-server.ts';
import type { createElector } from '../leader-election/create-elector.ts';
import { createLogger } from '../logging/create-logger.ts';
import type { Logger } from '../logging/logger.ts';
import type { RestMapper } from '../mapping/rest-mapper.ts';
import type { ManagerMetrics } from '../metrics/manager-metrics.ts';
import type { MetricSet } from '../metrics/metric-set.ts';
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
import type { ManagerOptions } from './manager-options.ts';
import { ManagerServers, type ServerName } from './manager-servers.ts';
import { ownChecks } from './own-checks.ts';
import type { Runnable } from './runnable.ts';
import { reportServer, reportStart } from './start-report.ts';
import { shutdownTimeoutOf } from './shutdown-timeout.ts';
import { Work } from './work.ts';

/** What is loaded only when the options ask for it. */
interface Extras {
  clock: Clock;
  metrics: ManagerMetrics | undefined;
  createElector: typeof createElector | undefined;
  tracer: Tracer | undefined;
}

/**
 * Runs an operator: its servers, its cache, its controllers. Starts them in the order in which they need each other
 * (servers, caches, what runs on every replica, and with the leadership what runs on the leader), stops them in the
 * reverse order, and stops all when one fails.
 *
 * `await using manager = await Manager.create(…)` stops it at the end of the block.
 */
export class Manager implements ControllerHost, WebhookHost {
  /** Reads from the cache, which knows the kinds that controllers watch and those of `cache.add`; writes to the server. */
  readonly client: Client;
  /** Reads from the API server: for kinds that are not in the cache, and where not even a moment's delay will do. */
  readonly apiReader: Client;
  /** The objects of the kinds that controllers watch, in memory. */
  readonly cache: Cache;
  /** Which kinds the API server has. */
  readonly mapper: RestMapper;
  /** The one of the options, or the default. */
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
  /** For metrics of your own; undefined when metrics are off. */
  readonly metrics: MetricSet | undefined;

  readonly #options: ManagerOptions;
  readonly #cluster: Cluster;
  readonly #controllers: Controllers;
  readonly #lifecycle: Lifecycle;
  readonly #work: Work;
  readonly #election: Election | undefined;
  readonly #servers: ManagerServers;
  readonly #endpoints: Endpoints;

  /**
   * Prepares a manager; nothing is connected or bound before `start`.
   * @throws {ConnectionConfigError} when the server's URL is not one; {UsageError} when options do not fit together, a
   *   duration is not one, or the namespace for leader election is unknown.
   * @param internals for tests that move time: the clock that the operator waits by, the system's by default. What waits
   *   for the network has that of the connection; see `ConnectionConfig.clock`.
   */
  static async create(
    options: ManagerOptions,
    { clock = systemClock }: { clock?: Clock } = {},
  ): Promise<Manager> {
    const [metrics, election, tracer] = await Promise.all([
      options.metrics ? import('../metrics/manager-metrics.ts') : undefined,
      options.leaderElection ? import('../leader-election/create-elector.ts') : undefined,
      createTracer(),
    ]);
    return new Manager(options, {
      clock,
      metrics: metrics && new metrics.ManagerMetrics(),
      createElector: election?.createElector,
      tracer,
    });
  }

  private constructor(options: ManagerOptions, extras: Extras) {
    const { clock, metrics, tracer } = extras;
    const { leaderElection } = options;
    const logger = options.logger ?? createLogger();
    this.logger = logger;
    this.#options = options;
    this.metrics = metrics;
    this.#cluster = new Cluster(options, { metrics, tracer, clock, logger });
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
    const fence = election && (() => election.fence());
    this.#controllers = new Controllers({ clock, networkClock, logger, metrics, tracer, fence });
    this.#endpoints = ownChecks(
      { lifecycle: this.#lifecycle, cache, election },
      { clock: networkClock, logger },
    );
    const announce = (): void => logger.info({ ports: this.ports }, 'the manager is ready');
    this.ready.then(announce, () => {});
    this.#servers = new ManagerServers(options, {
      client: apiReader,
      webhooks: this.webhooks,
      conversions: this.conversions,
      metrics,
      tracer,
      clock,
      networkClock,
      logger,
      endpoints: this.#endpoints,
    });
  }

  /**
   * Resolves when the caches are filled and everything runs that does not wait for leadership: a standby is ready.
   * Rejects when it does not come to that.
   */
  get ready(): Promise<void> {
    return this.#lifecycle.ready.promise;
  }

  /**
   * Resolves when this replica leads and what needs that is started; without leader election when it is ready.
   * Rejects when the manager stops before.
   */
  get elected(): Promise<void> {
    return this.#lifecycle.elected.promise;
  }

  /** The ports that its servers listen on, while they do. */
  get ports(): Partial<Record<ServerName, number>> {
    return this.#servers.ports;
  }

  /**
   * Adds something that runs after the caches are filled, and on the leader only unless it says otherwise: at once
   * when the manager has come to that.
   * @throws {UsageError} when the manager is stopping.
   */
  add(runnable: Runnable): void {
    if (this.#lifecycle.stopping.aborted) throw new UsageError('the manager is stopping', 'Add it before.');
    this.#work.add(runnable);
  }

  /**
   * For ControllerBuilder, which is how controllers are made; it adds the controller when its sources are known.
   * @internal
   * @throws {UsageError} when the name is taken.
   */
  createController(options: NewController): Controller {
    return this.#controllers.create(options);
  }

  /**
   * A recorder of events, which `kubectl describe` shows; one for each name.
   * @param controller what is shown as the source of the events.
   * @throws {UsageError} when the name is none that events may have.
   */
  eventRecorder(controller: string): EventRecorder {
    return this.#cluster.recorders.recorder(controller);
  }

  /**
   * Adds a check to `/healthz`: when it fails, the kubelet starts the pod anew.
   * @throws {UsageError} when the name is taken, or cannot be part of a path.
   */
  addHealthCheck(name: string, check: HealthCheck): void {
    this.#endpoints.healthz.add(name, check);
  }

  /**
   * Adds a check to `/readyz`: while it fails, the pod gets no requests for its webhooks.
   * @throws {UsageError} when the name is taken, or cannot be part of a path.
   */
  addReadyCheck(name: string, check: HealthCheck): void {
    this.#endpoints.readyz.add(name, check);
  }

  /**
   * Runs until the signal aborts or `stop` is called, and resolves when everything has stopped.
   * @throws {UsageError} when it is called twice. {ConnectionError} when the API server cannot be reached at the start;
   *   what comes later is waited out. {ApiError} `isUnauthorized` when it does not accept the credentials. {ListenError}, {CertificateError} when a server cannot start.
   *   {CacheSyncError} when the caches do not fill. {LeadershipLostError} when another replica may lead: end the
   *   process then, because what did not heed its signal still runs. {ShutdownTimeoutError} when something does not
   *   stop in time. Otherwise what the first failing runnable threw. {ManagerError} when the stop failed as well.
   */
  async start(signal?: AbortSignal): Promise<void> {
    await this.#lifecycle.run(
      {
        connect: (stopping) => this.#connect(stopping),
        servers: this.#servers,
        cache: this.cache,
        work: this.#work,
        election: this.#election,
        disconnect: (inTime) => this.#cluster.close(inTime),
      },
      signal,
    );
  }

  /**
   * For tests: resolves when the operator has dealt with all that the API server holds by now. No controller runs
   * or has something in its queue, and the caches have every change of their kinds, for which the server is asked. What
   * waits for its time does not count: a `requeueAfter`, and the retry of a failure. Neither does work outside of
   * controllers. With leader election wait for `elected` first: on a standby no controller runs.
   *
   * `await client.create(MyApp, app); await manager.idle();`
   * @throws {WaitTimeoutError} after `timeout`; it says what is still busy. {UsageError} when the manager stops. The
   *   signal's reason when it aborts.
   */
  idle(options: IdleOptions = {}): Promise<void> {
    const parts = {
      lifecycle: this.#lifecycle,
      controllers: this.#controllers,
      cache: this.cache,
      networkClock: this.#cluster.networkClock,
    };
    // oxlint-disable-next-line typescript/unbound-method -- it is not called: stacks begin at its caller
    return untilIdle(Manager.prototype.idle, parts, options);
  }

  /**
   * Stops gracefully and resolves when everything has stopped. Never rejects: `start` reports failures. Work of the
   * manager, such as a reconciler, may call it, but not wait for it: it would wait for itself.
   */
  async stop(): Promise<void> {
    await this.#lifecycle.stop();
    // One that never started has opened nothing, but for requests of its clients.
    await this.#cluster.close(false);
  }

  /** As `stop`, for `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  async #connect(signal: AbortSignal): Promise<void> {
    const controllers = this.#controllers.names;
    reportStart(this.logger, this.#options, { controllers, webhooks: this.webhooks.paths });
    await reportServer(this.logger, this.apiReader, signal);
  }

  #electionOf(
    { connection, userAgent, leaderElection }: ManagerOptions,
    { clock, metrics, createElector }: Extras,
  ): Election | undefined {
    if (!leaderElection || !createElector) return undefined;
    const connected = createElector(leaderElection, {
      connection,
      userAgent,
      clock,
      logger: this.logger,
      reachability: this.#cluster.reachability,
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
