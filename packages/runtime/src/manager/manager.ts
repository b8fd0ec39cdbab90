import { setMaxListeners } from 'node:events';
import { Cache } from '../cache/cache.ts';
import { Client } from '../client/client.ts';
import { systemClock } from '../clock/clock.ts';
import { sleep } from '../clock/sleep.ts';
import { Controller, type ControllerOptions } from '../controller/controller.ts';
import { toMilliseconds } from '../duration/to-milliseconds.ts';
import { UsageError } from '../errors/usage-error.ts';
import { createLogger } from '../logging/create-logger.ts';
import type { Logger } from '../logging/logger.ts';
import type { ManagerMetrics } from '../metrics/manager-metrics.ts';
import { untilAborted } from '../signals/until-aborted.ts';
import { Transport } from '../transport/transport.ts';
import { ConversionRegistry } from '../webhook/conversion-registry.ts';
import { WebhookRegistry } from '../webhook/webhook-registry.ts';
import type { ManagerOptions } from './manager-options.ts';
import { ManagerServers, type ServerName } from './manager-servers.ts';
import type { Runnable } from './runnable.ts';
import { ShutdownTimeoutError } from './shutdown-timeout-error.ts';

/**
 * Runs an operator: its servers, its cache, its controllers. Starts them in the order in which they need each other
 * (servers, caches, controllers), stops them in the reverse order, and stops all when one fails.
 *
 * `await using manager = await Manager.create(…)` stops it at the end of the block.
 */
export class Manager {
  /** Reads from the API server, not from the cache, and writes to it. */
  readonly client: Client;
  /** The objects of the kinds that controllers watch. */
  readonly cache: Cache;
  readonly logger: Logger;
  /** Resolves when the caches are filled and the controllers run; rejects when it does not come to that. */
  readonly ready: Promise<void>;
  /** For WebhookBuilder. */
  readonly webhooks = new WebhookRegistry();
  /** For ConversionBuilder. */
  readonly conversions: ConversionRegistry;
  /** For builders; undefined when metrics are off. */
  readonly metrics: ManagerMetrics | undefined;

  readonly #shutdownTimeout: number;
  readonly #transport: Transport;
  readonly #controllers = new Set<string>();
  readonly #runnables: Runnable[] = [];
  readonly #running = new Set<Promise<void>>();
  readonly #servers: ManagerServers;
  readonly #stopRequested = new AbortController();
  readonly #stopWork = new AbortController();
  readonly #stopCache = new AbortController();
  #settleReady!: { resolve: () => void; reject: (error: unknown) => void };
  #isReady = false;
  #run: Promise<void> | undefined;
  #failure: { error: unknown } | undefined;

  /**
   * Prepares a manager; nothing is connected or bound before `start`.
   * @throws {ConnectionConfigError} when the server's URL is not one; {UsageError} when a duration is not one.
   */
  static async create(options: ManagerOptions): Promise<Manager> {
    if (!options.metrics) return new Manager(options, undefined);
    const { ManagerMetrics: Metrics } = await import('../metrics/manager-metrics.ts');
    return new Manager(options, new Metrics());
  }

  private constructor(options: ManagerOptions, metrics: ManagerMetrics | undefined) {
    this.#shutdownTimeout = toMilliseconds(options.gracefulShutdownTimeout ?? '30s');
    this.metrics = metrics;
    // Every informer and every run listens to these; Node would warn of a leak at the eleventh.
    setMaxListeners(0, this.#stopRequested.signal, this.#stopWork.signal, this.#stopCache.signal);
    this.logger = options.logger ?? createLogger();
    this.#transport = new Transport(options.connection, {
      observe: (exchange) => metrics?.requested(exchange),
    });
    this.client = new Client(this.#transport);
    this.cache = new Cache({
      transport: this.#transport,
      namespaces: options.namespaces,
      clock: systemClock,
      logger: this.logger,
    });
    this.conversions = new ConversionRegistry(this.webhooks, this.logger);
    this.#servers = new ManagerServers(options, {
      client: this.client,
      webhooks: this.webhooks,
      metrics,
      logger: this.logger,
      problems: () => this.#problems(),
    });
    this.ready = new Promise((resolve, reject) => {
      this.#settleReady = { resolve, reject };
    });
    // Whoever does not ask for readiness still learns of the failure from start.
    this.ready.catch(() => {});
  }

  /** The ports that its servers listen on, while they do. */
  get ports(): Partial<Record<ServerName, number>> {
    return this.#servers.ports;
  }

  /** Adds something that runs after the caches are filled: at once when the manager runs already. */
  add(runnable: Runnable): void {
    if (this.#stopRequested.signal.aborted) throw new UsageError('the manager is stopping', 'Add it before.');
    if (this.#isReady) this.#launch(runnable);
    else this.#runnables.push(runnable);
  }

  /**
   * For ControllerBuilder, which is how controllers are made; it adds the controller when its sources are known.
   * @throws {UsageError} when the name is taken.
   */
  createController(
    options: Pick<ControllerOptions, 'name' | 'reconciler' | 'maxConcurrentReconciles'>,
  ): Controller {
    if (this.#controllers.has(options.name)) {
      throw new UsageError(
        `two controllers are named ${options.name}`,
        'Give one of them another name with named: metrics and logs tell them apart by it.',
      );
    }
    this.#controllers.add(options.name);
    return new Controller({ ...options, clock: systemClock, logger: this.logger, metrics: this.metrics });
  }

  /**
   * Runs until the signal aborts or `stop` is called, and resolves when everything has stopped.
   * @throws {UsageError} when it is called twice. {ListenError}, {CertificateError} when a server cannot start.
   *   {CacheSyncError} when the caches do not fill. {ShutdownTimeoutError} when something does not stop in time.
   *   Otherwise what the first failing runnable threw.
   */
  async start(signal?: AbortSignal): Promise<void> {
    if (this.#run) throw new UsageError('the manager was started twice', 'Create another manager.');
    if (this.#stopRequested.signal.aborted)
      throw new UsageError('the manager was stopped', 'Create another manager.');
    this.#run = this.#live(signal);
    await this.#run;
  }

  /** Stops gracefully and resolves when everything has stopped. Never rejects: `start` reports failures. */
  async stop(): Promise<void> {
    this.#stopRequested.abort();
    if (this.#run) {
      await this.#run.catch(() => {});
    } else {
      this.#settleReady.reject(
        new UsageError('the manager was stopped before it started', 'Start it first.'),
      );
      await this.#transport.close();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  async #live(signal: AbortSignal | undefined): Promise<void> {
    const requestStop = (): void => this.#stopRequested.abort();
    signal?.addEventListener('abort', requestStop, { once: true });
    if (signal?.aborted) requestStop();
    try {
      await this.#startUp();
      await untilAborted(this.#stopRequested.signal);
    } catch (error) {
      this.#fail(error);
    } finally {
      signal?.removeEventListener('abort', requestStop);
    }
    await this.#shutDown();
    this.#settleReady.reject(
      this.#failure?.error ?? new UsageError('the manager was stopped', 'Start another.'),
    );
    if (this.#failure) throw this.#failure.error;
  }

  /** Servers come first: filling the cache may need a conversion webhook that is served right here. */
  async #startUp(): Promise<void> {
    const stop = this.#stopRequested.signal;
    await this.#servers.open();
    this.cache.start(this.#stopCache.signal);
    try {
      await this.cache.synced(stop);
    } catch (error) {
      if (stop.aborted) return;
      throw error;
    }
    for (const runnable of this.#runnables) this.#launch(runnable);
    this.#isReady = true;
    this.#settleReady.resolve();
    this.logger.info({ controllers: [...this.#controllers], ports: this.ports }, 'the manager is ready');
  }

  #problems(): string[] {
    if (this.#stopRequested.signal.aborted) return ['the manager is stopping'];
    const missing = this.cache.missing().map((kind) => `the cache of ${kind} is not filled`);
    return missing.length > 0 || this.#isReady ? missing : ['the manager is starting'];
  }

  #launch(runnable: Runnable): void {
    const signal = this.#stopWork.signal;
    const run = (async () => {
      try {
        await runnable.start(signal);
      } catch (error) {
        if (signal.aborted)
          this.logger.debug({ err: error }, 'a runnable ended with an error while stopping');
        else this.#fail(error);
      }
    })();
    this.#running.add(run);
    void run.finally(() => this.#running.delete(run));
  }

  #fail(error: unknown): void {
    if (this.#failure) this.logger.error({ err: error }, 'a further failure while the manager stops');
    this.#failure ??= { error };
    this.#stopRequested.abort();
  }

  async #shutDown(): Promise<void> {
    this.logger.info('the manager is stopping');
    const timeUp = new AbortController();
    const stopped = this.#stopInOrder().then(() => true);
    const inTime = await Promise.race([
      stopped,
      sleep(systemClock, this.#shutdownTimeout, timeUp.signal).then(() => false),
    ]);
    timeUp.abort();
    if (!inTime) {
      this.#stopCache.abort();
      this.#servers.closeNow();
      if (this.#shutdownTimeout > 0) this.#fail(new ShutdownTimeoutError(this.#shutdownTimeout));
    }
    await this.#transport.close();
    this.logger.info('the manager has stopped');
  }

  /** Work before the cache that it reads, the cache before the webhooks that fill it, and probes last. */
  async #stopInOrder(): Promise<void> {
    this.#stopWork.abort();
    await Promise.all(this.#running);
    this.#stopCache.abort();
    await this.cache.stopped();
    await this.#servers.close();
  }
}
