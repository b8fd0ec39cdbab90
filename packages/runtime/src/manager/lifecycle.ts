import { setMaxListeners } from 'node:events';
import type { Clock } from 'ots-apimachinery/clock/clock';
import { sleep } from 'ots-apimachinery/clock/sleep';
import { UsageError } from '../errors/usage-error.ts';
import { LeadershipLostError } from '../leader-election/leadership-errors.ts';
import type { Logger } from '../logging/logger.ts';
import type { ConnectedSharding } from '../sharding/create-sharding.ts';
import { untilAborted } from '../signals/until-aborted.ts';
import type { Election } from './election.ts';
import { ManagerError } from './manager-error.ts';
import { Milestone } from './milestone.ts';
import { ShutdownTimeoutError } from './shutdown-timeout.ts';
import type { Work } from './work.ts';

/** What a lifecycle starts and stops. */
export interface Parts {
  /**
   * Checks whether the API server is reachable.
   * @throws {ConnectionError} when it is not. {ApiError} when it does not accept the credentials.
   */
  connect: (signal: AbortSignal) => Promise<void>;
  /** Everything that listens on a port. */
  servers: {
    open(signal: AbortSignal): Promise<void>;
    /** Waits for the requests under way. */
    closeWebhooks(): Promise<void>;
    /** Waits for the requests under way. */
    close(): Promise<void>;
    closeNow(): void;
  };
  cache: {
    start(signal: AbortSignal): void;
    synced(signal: AbortSignal): Promise<void>;
    stopped(): Promise<void>;
  };
  work: Work;
  /** Undefined without leader election. */
  election: Election | undefined;
  /** Undefined without sharding. */
  sharding: Pick<ConnectedSharding, 'start' | 'stop'> | undefined;
  /**
   * Closes the connections to the API server, at the very end.
   * @param inTime whether everything has stopped in time.
   */
  disconnect: (inTime: boolean) => Promise<void>;
}

export interface LifecycleOptions {
  clock: Clock;
  logger: Logger;
  /** In milliseconds; Infinity waits forever. */
  shutdownTimeout: number;
  /** Whether a stop releases the lease. */
  releaseOnStop: boolean;
}

/** Starts and stops the parts of a manager in order, and handles their failures. */
export class Lifecycle {
  /** The caches are filled, and everything that does not need leadership runs. */
  readonly ready = new Milestone();
  /** Everything that needs leadership runs. */
  readonly elected = new Milestone();
  readonly #options: LifecycleOptions;
  readonly #stopping = new AbortController();
  readonly #stopCache = new AbortController();
  readonly #leadershipLost = new AbortController();
  readonly #failures: unknown[] = [];
  #parts!: Parts;
  #run: Promise<void> | undefined;

  constructor(options: LifecycleOptions) {
    this.#options = options;
    // Every informer may listen; Node would warn of a leak at the eleventh.
    setMaxListeners(0, this.#stopping.signal, this.#stopCache.signal);
  }

  /** Aborts when the manager has to stop, or fails. */
  get stopping(): AbortSignal {
    return this.#stopping.signal;
  }

  /** What stopped the manager; undefined if nothing failed. */
  get failure(): unknown {
    return this.#failures[0];
  }

  /** Why the manager is not ready; undefined if it is. */
  get problem(): string | undefined {
    if (this.stopping.aborted) return 'the manager is stopping';
    return this.ready.isReached ? undefined : 'the manager is starting';
  }

  /**
   * Runs the parts until the signal aborts, `stop` is called, or a part fails; resolves when all have stopped.
   * @throws {UsageError} when it has been called before, or after `stop`.
   */
  async run(parts: Parts, signal: AbortSignal | undefined): Promise<void> {
    if (this.#run) throw new UsageError('The manager was started twice', 'Create another manager.');
    if (this.stopping.aborted) throw new UsageError('The manager was stopped', 'Create another manager.');
    this.#parts = parts;
    this.#run = this.#live(signal);
    await this.#run;
  }

  /** Stops the parts if they run, and resolves when all have stopped. Never rejects: `run` reports failures. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#run?.catch(() => {});
    const error = new UsageError('The manager was stopped before it started', 'Start it first.');
    if (!this.#run) for (const milestone of [this.ready, this.elected]) milestone.miss(error);
  }

  /** Stops because of an error. */
  fail(error: unknown): void {
    if (error instanceof LeadershipLostError) this.#leadershipLost.abort();
    else if (this.stopping.aborted) {
      // The first failure says what is wrong; later ones are only consequences of the stop.
      this.#options.logger.error({ err: error }, 'another failure while the manager stops');
      return;
    }
    this.#failures.push(error);
    this.#stopping.abort();
  }

  async #live(signal: AbortSignal | undefined): Promise<void> {
    const requestStop = (): void => this.#stopping.abort();
    signal?.addEventListener('abort', requestStop, { once: true });
    if (signal?.aborted) requestStop();
    try {
      await this.#startInOrder();
      await untilAborted(this.stopping);
    } catch (error) {
      this.fail(error);
    } finally {
      signal?.removeEventListener('abort', requestStop);
    }
    await this.#shutDown();
    const [first, ...others] = this.#failures;
    const outcome = others.length > 0 ? new ManagerError(this.#failures) : first;
    const missed = outcome ?? new UsageError('The manager was stopped', 'Start another.');
    for (const milestone of [this.ready, this.elected]) milestone.miss(missed);
    if (this.#failures.length > 0) throw outcome;
  }

  /** Starts servers first: filling the cache may need a conversion webhook of this very process. */
  async #startInOrder(): Promise<void> {
    const { connect, servers, cache, work, election, sharding } = this.#parts;
    try {
      await connect(this.stopping);
      await servers.open(this.stopping);
      cache.start(this.#stopCache.signal);
      await cache.synced(this.stopping);
    } catch (error) {
      if (this.stopping.aborted) return;
      throw error;
    }
    work.startOthers();
    await Promise.race([work.warmUp(), untilAborted(this.stopping)]);
    if (this.stopping.aborted) return;
    sharding?.start(this.stopping);
    if (election) {
      this.ready.reach();
      election.start(this.stopping);
    } else {
      work.lead(undefined);
      this.ready.reach();
      this.elected.reach();
    }
  }

  /** After a loss of leadership it does not wait: another replica may already be working. */
  async #shutDown(): Promise<void> {
    const { clock, logger, shutdownTimeout, releaseOnStop } = this.#options;
    const { servers, work, election, sharding, disconnect } = this.#parts;
    const lost = this.#leadershipLost.signal;
    logger.info('the manager is stopping');
    const over = new AbortController();
    const timeUp =
      shutdownTimeout === Infinity ? untilAborted(over.signal) : sleep(clock, shutdownTimeout, over.signal);
    const inTime = await Promise.race([
      this.#stopInOrder().then(() => true),
      Promise.race([timeUp, untilAborted(lost)]).then(() => false),
    ]);
    over.abort();
    if (!inTime) {
      if (shutdownTimeout > 0 && !lost.aborted) {
        this.#failures.push(new ShutdownTimeoutError(shutdownTimeout, work.running));
      }
      work.abort();
      this.#stopCache.abort();
      servers.closeNow();
    }
    // Last, and the leases are renewed until here: no other replica may take over before the work has ended.
    await Promise.all([election?.stop(inTime && releaseOnStop), sharding?.stop(inTime)]);
    await disconnect(inTime);
    logger.info('the manager has stopped');
  }

  /** Stops work before the cache that it reads, the cache before the webhooks that fill it, and probes last. */
  async #stopInOrder(): Promise<void> {
    const { servers, cache, work } = this.#parts;
    try {
      await work.stop();
      this.#stopCache.abort();
      await cache.stopped();
      await servers.closeWebhooks();
      await servers.close();
    } catch (error) {
      this.#failures.push(error);
      servers.closeNow();
    }
  }
}
