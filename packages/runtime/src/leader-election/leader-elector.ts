import type { Lease } from 'ots-kubernetes/coordination/v1';
import type { Clock } from 'ots-apimachinery/clock/clock';
import { sleep } from 'ots-apimachinery/clock/sleep';
import { eitherSignal } from 'ots-apimachinery/signals/either-signal';
import { isAlreadyExists, isConflict, isNotFound } from '../errors/api-error.ts';
import { errorMessage } from '../errors/error-message.ts';
import type { Logger } from '../logging/logger.ts';
import { isKnownOutage } from '../transport/reachability.ts';
import { claimedSpec, releasedSpec } from './claimed-spec.ts';
import { type ElectionTiming, jitterFactor } from './leader-election-options.ts';
import { Leadership, type Moment, momentOf } from './leadership.ts';
import { LeadershipLostError, LeaseUnavailableError } from './leadership-errors.ts';
import type { LeaseStore } from './server-leases.ts';
import { ObservedLease } from './observed-lease.ts';

/** Observes a leader election, for metrics. */
export interface ElectionObserver {
  /** This process became the leader, or stopped being the leader. */
  leading(name: string, leads: boolean): void;
}

export interface LeaderElectorOptions {
  leases: LeaseStore;
  /** Unique among all candidates. */
  identity: string;
  timing: ElectionTiming;
  clock: Clock;
  logger: Logger;
  /** The name of the election in metrics. */
  name: string;
  observer?: ElectionObserver | undefined;
  /** Records an event for the Lease: this replica became the leader, or stopped leading. */
  record?: ((lease: Lease, leads: boolean, note: string) => void) | undefined;
  /** From 0 to 1; `Math.random` by default. */
  random?: (() => number) | undefined;
}

/**
 * Competes for a Lease by the rules of client-go: operators in Go and in TypeScript can compete for the same one
 * (k8s.io/client-go/tools/leaderelection). It is stricter in two ways: the deadline runs from the start of the last
 * successful renewal, and a leader that finds another holder in the Lease gives up at once.
 */
export class LeaderElector {
  readonly #options: LeaderElectorOptions;
  readonly #observed = new ObservedLease();
  #lastError: unknown;

  constructor(options: LeaderElectorOptions) {
    this.#options = options;
    options.observer?.leading(options.name, false);
  }

  /** Why this replica cannot lead until an administrator fixes something; undefined when it can. */
  get problem(): string | undefined {
    return this.#lastError instanceof LeaseUnavailableError ? this.#lastError.message : undefined;
  }

  /**
   * Competes until it leads. Returns undefined when the signal aborts first, and releases a lease that a request in
   * flight still acquired.
   */
  async acquire(signal: AbortSignal): Promise<Leadership | undefined> {
    const { clock, timing, random = Math.random, logger, leases, identity } = this.#options;
    logger.info({ lease: leases.name, identity }, 'waiting for leadership');
    while (!signal.aborted) {
      const begun = momentOf(clock);
      if (await this.#succeeds(() => this.#tryToAcquire(begun, signal))) {
        const leadership = new Leadership(clock, timing.renewDeadline, begun);
        if (signal.aborted) {
          await this.#giveBack(leadership);
        } else if (!leadership.isOver()) {
          this.#announce(true);
          return leadership;
        }
        // Otherwise the response came so late that another replica may lead by now: the next attempt finds out.
      }
      await sleep(clock, timing.retryPeriod * (1 + random() * jitterFactor), signal);
    }
    return undefined;
  }

  /**
   * Renews until the signal aborts.
   * @throws {LeadershipLostError} when the leadership is lost first.
   */
  async keep(leadership: Leadership, signal: AbortSignal): Promise<void> {
    const { clock, timing } = this.#options;
    const either = eitherSignal(signal, leadership.signal);
    let begun: Moment = momentOf(clock);
    try {
      while (!signal.aborted) {
        // Measured from the start of the attempt: after a hanging attempt, the next one follows at once.
        await sleep(clock, Math.max(0, begun.now + timing.retryPeriod - clock.now()), either.signal);
        if (signal.aborted) return;
        if (leadership.isOver()) {
          this.#announce(false);
          throw leadership.signal.reason;
        }
        const now = momentOf(clock);
        begun = now;
        if (await this.#succeeds(() => this.#tryToRenew(now, leadership))) leadership.renewed(now);
      }
    } finally {
      either.dispose();
    }
  }

  /** Ends the term and releases the lease for the next leader. Never rejects. */
  async release(leadership: Leadership): Promise<void> {
    await this.#giveBack(leadership);
    this.#announce(false);
  }

  /** Ends the term without releasing the lease: others take over when it has expired. */
  abandon(leadership: Leadership): void {
    leadership.end(new LeadershipLostError('the manager has stopped'));
    this.#announce(false);
  }

  async #tryToAcquire(begun: Moment, signal: AbortSignal): Promise<boolean> {
    const { leases, identity, clock } = this.#options;
    const lease = await leases.read(signal);
    if (signal.aborted) return false;
    // Do not cancel writes: their result would be unknown.
    if (!lease) return this.#create(begun);
    this.#observed.see(lease, clock.now());
    const { holder } = this.#observed;
    if (holder !== '' && holder !== identity && this.#observed.isValid(clock.now())) return false;
    return this.#claim(lease, begun);
  }

  async #tryToRenew(begun: Moment, leadership: Leadership): Promise<boolean> {
    const { leases, clock } = this.#options;
    const before = this.#observed.lease;
    if (before && this.#observed.isValid(begun.now)) {
      try {
        return await this.#claim(before, begun, leadership.signal);
      } catch (error) {
        if (!isConflict(error) && !isNotFound(error)) throw error;
      }
    }
    const lease = await leases.read(leadership.signal);
    if (!lease) return this.#create(begun, leadership.signal);
    const { transitions } = this.#observed;
    this.#observed.see(lease, clock.now());
    const { holder } = this.#observed;
    // An administrator may have cleared the holder, or another leader may have released it after a whole term.
    const untouched =
      transitions === this.#observed.transitions && before?.metadata.uid === lease.metadata.uid;
    if (holder !== this.#options.identity && (holder !== '' || !untouched)) {
      leadership.end(
        new LeadershipLostError(`the lease ${leases.name} went to ${holder || 'another replica'}`),
      );
      return false;
    }
    return this.#claim(lease, begun, leadership.signal);
  }

  async #create(begun: Moment, signal?: AbortSignal): Promise<boolean> {
    this.#observed.see(await this.#options.leases.create(this.#spec(undefined, begun), signal), begun.now);
    return true;
  }

  async #claim(lease: Lease, begun: Moment, signal?: AbortSignal): Promise<boolean> {
    const claimed = { ...lease, spec: this.#spec(lease.spec, begun) };
    this.#observed.see(await this.#options.leases.update(claimed, signal), begun.now);
    return true;
  }

  #spec(spec: Lease['spec'], { epoch }: Moment): NonNullable<Lease['spec']> {
    const { identity, timing } = this.#options;
    return claimedSpec(spec, { identity, leaseDuration: timing.leaseDuration, epoch });
  }

  /** The fence closes before the lease is released. */
  async #giveBack(leadership: Leadership): Promise<void> {
    leadership.end(new LeadershipLostError('it was released'));
    const { leases, identity, clock, logger } = this.#options;
    const release = (lease: Lease): Promise<Lease> =>
      leases.update({ ...lease, spec: releasedSpec(lease.spec, clock.epoch()) });
    try {
      try {
        await release(this.#observed.lease!);
      } catch (error) {
        if (!isConflict(error)) throw error;
        // The response of a renewal was lost, or a label changed: the lease is still ours to release.
        const lease = await leases.read();
        if (lease?.spec?.holderIdentity === identity) await release(lease);
      }
    } catch (error) {
      logger.warn(
        { lease: leases.name, reason: errorMessage(error) },
        'lease not released; it expires by itself',
      );
    }
  }

  async #succeeds(attempt: () => Promise<boolean>): Promise<boolean> {
    try {
      const leads = await attempt();
      this.#lastError = undefined;
      return leads;
    } catch (error) {
      this.#report(error);
      this.#lastError = error;
      return false;
    }
  }

  /** Logs each problem once: attempts follow each other within seconds. */
  #report(error: unknown): void {
    // It canceled the attempt; its source reports it.
    if (error instanceof LeadershipLostError) return;
    const { logger, leases } = this.#options;
    const lostRace = isConflict(error) || isAlreadyExists(error);
    const isKnown = this.#lastError !== undefined && errorMessage(this.#lastError) === errorMessage(error);
    const details = { lease: leases.name, reason: errorMessage(error) };
    if (lostRace || isKnown || isKnownOutage(error))
      logger.debug(details, 'cannot acquire or renew the lease');
    else if (error instanceof LeaseUnavailableError)
      logger.error({ ...details, hint: error.hint }, 'cannot lead');
    else logger.warn(details, 'cannot acquire or renew the lease');
  }

  #announce(leads: boolean): void {
    const { observer, name, record, logger, leases, identity } = this.#options;
    const what = leads ? 'became leader' : 'stopped leading';
    observer?.leading(name, leads);
    logger.info({ lease: leases.name, identity }, what);
    const { lease } = this.#observed;
    if (lease) record?.(lease, leads, `${identity} ${what}`);
  }
}
