import type { Clock } from 'ots-apimachinery/clock/clock';
import type { Lease } from 'ots-kubernetes/coordination/v1';
import { wakeable } from '../clock/wakeable.ts';
import { isAlreadyExists, isConflict, isForbidden, isInvalid, isNotFound } from '../errors/api-error.ts';
import { errorMessage } from '../errors/error-message.ts';
import { claimedSpec } from '../leader-election/claimed-spec.ts';
import type { ElectionTiming } from '../leader-election/leader-election-options.ts';
import { type Moment, momentOf } from '../leader-election/leadership.ts';
import { ObservedLease } from '../leader-election/observed-lease.ts';
import type { Logger } from '../logging/logger.ts';
import { isKnownOutage } from '../transport/reachability.ts';
import { assignShards } from './assign-shards.ts';
import { claimsAnnotation, claimsOf, claimsText, hasScheme } from './claims.ts';
import type { MemberLeases } from './member-leases.ts';
import { Renewals } from './renewals.ts';
import { ShardLostError } from './shard-errors.ts';
import { shardCount } from './shard-of.ts';
import { Shard } from './shard.ts';

/** Observes a member, for metrics. */
export interface ShardingObserver {
  /** How many members there are, as far as this one knows, and how many shards it owns. */
  divided(members: number, shards: number): void;
}

export interface ShardMemberOptions {
  leases: MemberLeases;
  /** Of its Lease: unique among all members. */
  name: string;
  /** The holder that the Lease shows. */
  identity: string;
  /** See `shardScheme`. */
  scheme: string;
  timing: ElectionTiming;
  clock: Clock;
  logger: Logger;
  observer?: ShardingObserver | undefined;
}

/** The Lease of another member. */
interface OtherMember {
  lease: Lease;
  isLive: boolean;
}

const none: ReadonlySet<number> = new Set();

/**
 * One member of a group that divides the shards. A shard goes from one member to the next by three rules:
 *
 * 1. A member owns a shard only after a list of all Leases that it began after its own claim was stored, and that shows
 *    no other Lease with a claim to the shard. Of two members that claim a shard at the same time, the list of the
 *    second shows the claim of the first.
 * 2. A claim ends only when its member gives it up, after the last reconcile in the shard has ended, or when another
 *    member deletes its Lease, in the version that has not changed for its whole duration.
 * 3. No write passes the fence later than `renewDeadline` after the start of the last successful renewal, which is
 *    before any other member can have seen it. And a member whose Lease was deleted can never renew it: it joins again
 *    without claims.
 *
 * So members may see each other late, or not at all, and two of them may expect to own a shard: they never do at the
 * same time. docs/decisions/0048-sharding.md has the proof.
 */
export class ShardMember {
  readonly #options: ShardMemberOptions;
  readonly #renewals: Renewals;
  readonly #stop = new AbortController();
  readonly #waker;
  readonly #gainListeners = new Set<(shards: ReadonlySet<number>) => void>();
  readonly #changeListeners = new Set<() => void>();
  /** Those it owns, and those that it has lost and in which reconciles still run. */
  readonly #shards = new Map<number, Shard>();
  /** What the Leases of others looked like, and when they changed, by UID. */
  readonly #observed = new Map<string, ObservedLease>();
  #lease: Lease | undefined;
  /** What its stored Lease claims, and what the next version is to claim. */
  #claims = none;
  #wanted = none;
  #owners: string[] = [];
  #ownersOf = '';
  /** How many shards it waits for; undefined before it has seen the other members. */
  #missing: number | undefined;
  /** When it last tried to renew. */
  #triedAt = Number.NEGATIVE_INFINITY;
  /** When it last saw all Leases. */
  #listedAt = Number.NEGATIVE_INFINITY;
  #isLeaving = false;
  #run: Promise<void> | undefined;
  #lastError: unknown;

  constructor(options: ShardMemberOptions) {
    this.#options = options;
    this.#renewals = new Renewals(options.clock, options.timing.renewDeadline);
    this.#waker = wakeable(options.clock, this.#stop.signal);
    options.observer?.divided(0, 0);
  }

  /** Why it cannot be a member until an administrator fixes something; undefined if it can. */
  get problem(): string | undefined {
    const error = this.#lastError;
    const isLasting = isForbidden(error) || isInvalid(error) || isNotFound(error);
    return isLasting ? `This replica cannot keep its Lease: ${errorMessage(error)}` : undefined;
  }

  /** What it waits for before it owns all shards that it is to own; undefined if it has them. */
  get busyWith(): string | undefined {
    if (this.#missing === undefined) return 'this replica joins the members';
    return this.#missing > 0 ? `this replica waits for ${this.#missing} of ${shardCount} shards` : undefined;
  }

  /** The shard, if this process owns it. */
  shard(number: number): Shard | undefined {
    const shard = this.#shards.get(number);
    return shard?.isLost ? undefined : shard;
  }

  /**
   * Calls back when it owns more shards.
   * @returns a function that ends that.
   */
  onGain(listener: (shards: ReadonlySet<number>) => void): () => void {
    this.#gainListeners.add(listener);
    return () => this.#gainListeners.delete(listener);
  }

  /**
   * Calls back when it owns other shards than before, and before the listeners of `onGain`.
   * @returns a function that ends that.
   */
  onChange(listener: () => void): () => void {
    const own = (): void => listener();
    this.#changeListeners.add(own);
    return () => this.#changeListeners.delete(own);
  }

  /** Looks at the Leases at once: one of them has changed. */
  wake(): void {
    this.#waker.wake();
  }

  /** From now on it owns no more shards than it has. */
  prepareToLeave(): void {
    this.#isLeaving = true;
  }

  /** Becomes a member, until `leave` or `abandon`. */
  start(): void {
    this.#run = this.#live();
  }

  /** Gives up all shards and deletes the Lease, so the others can have them at once. Never rejects. */
  async leave(): Promise<void> {
    const lease = this.#lease;
    this.abandon();
    // A request under way may still create or renew the Lease.
    await this.#run;
    const last = this.#lease ?? lease;
    if (!last) return;
    try {
      await this.#options.leases.delete(last, { optimisticLock: false });
    } catch (error) {
      const details = { lease: this.#options.name, reason: errorMessage(error) };
      this.#options.logger.warn(details, 'lease not deleted; it expires by itself');
    }
  }

  /** Gives up all shards, but others can have them only when the Lease has expired. */
  abandon(): void {
    this.#stop.abort();
    this.#loseAll('the manager has stopped');
  }

  async #live(): Promise<void> {
    const { clock, timing } = this.#options;
    while (!this.#stop.signal.aborted) {
      const isDone = await this.#succeeds(() => this.#step());
      if (isDone && this.#isUnstored) continue;
      const wait = this.#triedAt + timing.retryPeriod - clock.now();
      // At least this long after a failure, which may come at once.
      const least = isDone ? 0 : timing.retryPeriod / 2;
      if (Math.max(wait, least) > 0) await this.#waker.next(Math.max(wait, least));
    }
  }

  get #isUnstored(): boolean {
    const [stored, wanted] = [this.#claims, this.#wanted];
    return stored.size !== wanted.size || [...wanted].some((shard) => !stored.has(shard));
  }

  async #step(): Promise<void> {
    await this.#renew();
    if (this.#stop.signal.aborted) return;
    const listed = await this.#options.leases.list();
    if (this.#stop.signal.aborted) return;
    const uid = this.#lease?.metadata.uid;
    if (uid !== undefined && !listed.some(({ metadata }) => metadata.uid === uid)) this.#wasDeleted();
    this.#divide(await this.#othersIn(listed));
  }

  /** Stores its Lease, if that is due or its claims have changed. */
  async #renew(): Promise<void> {
    const { clock, timing } = this.#options;
    const begun = momentOf(clock);
    const isDue = begun.now >= this.#triedAt + timing.retryPeriod;
    if (this.#lease && !isDue && !this.#isUnstored) return;
    this.#triedAt = begun.now;
    const claims = this.#wanted;
    const stored = await (this.#lease ? this.#update(this.#lease, claims, begun) : this.#create(begun));
    if (!stored) return;
    this.#lease = stored;
    if (this.#stop.signal.aborted) return;
    this.#claims = claims;
    this.#renewals.renewed(begun);
  }

  /** Without claims, and so it wants none before. Should the response be lost, no other member waits for them. */
  async #create(begun: Moment): Promise<Lease | undefined> {
    const { leases, name, scheme } = this.#options;
    try {
      const metadata = { name, annotations: { [claimsAnnotation]: claimsText(scheme, none) } };
      return await leases.create({ metadata, spec: this.#spec(undefined, begun) });
    } catch (error) {
      // Left by an earlier process of this name, or by a response that was lost: it goes when it has expired.
      if (isAlreadyExists(error)) return undefined;
      throw error;
    }
  }

  async #update(lease: Lease, claims: ReadonlySet<number>, begun: Moment): Promise<Lease | undefined> {
    const { leases, scheme } = this.#options;
    const annotations = { ...lease.metadata.annotations, [claimsAnnotation]: claimsText(scheme, claims) };
    const metadata = { ...lease.metadata, annotations };
    try {
      return await leases.update({ ...lease, metadata, spec: this.#spec(lease.spec, begun) });
    } catch (error) {
      if (!isConflict(error) && !isNotFound(error)) throw error;
      await this.#readAgain(lease);
      return undefined;
    }
  }

  #spec(spec: Lease['spec'], { epoch }: Moment): NonNullable<Lease['spec']> {
    const { identity, timing } = this.#options;
    return claimedSpec(spec, { identity, leaseDuration: timing.leaseDuration, epoch });
  }

  /** The response to an earlier update was lost, another client has changed the Lease, or it was deleted. */
  async #readAgain({ metadata }: Lease): Promise<void> {
    const listed = await this.#options.leases.list();
    const lease = listed.find(({ metadata: { uid } }) => uid === metadata.uid);
    const claims = lease && claimsOf(lease, this.#options.scheme);
    if (!claims || [...this.#shards.keys()].some((shard) => !claims.has(shard))) return this.#wasDeleted();
    this.#lease = lease;
    this.#claims = claims;
  }

  /** The Leases of others. Deletes those that have expired, so their holders cannot renew them. */
  async #othersIn(listed: readonly Lease[]): Promise<OtherMember[]> {
    const now = this.#options.clock.now();
    // After an outage the others have not renewed either: give them time.
    if (now - this.#listedAt >= this.#options.timing.renewDeadline) this.#observed.clear();
    this.#listedAt = now;
    const own = this.#lease?.metadata.uid;
    const leases = new Map(listed.map((lease) => [lease.metadata.uid!, lease]));
    for (const uid of this.#observed.keys()) if (!leases.has(uid)) this.#observed.delete(uid);
    const others: OtherMember[] = [];
    for (const [uid, lease] of leases) {
      if (uid === own) continue;
      const observed = this.#observed.get(uid) ?? new ObservedLease();
      this.#observed.set(uid, observed);
      observed.see(lease, now);
      const isLive = observed.isValid(now);
      if (isLive || !(await this.#evicts(lease))) others.push({ lease, isLive });
    }
    return others;
  }

  /** False if the Lease may still be there. */
  async #evicts(lease: Lease): Promise<boolean> {
    const { leases, logger } = this.#options;
    try {
      await leases.delete(lease, { optimisticLock: true });
      logger.info({ lease: lease.metadata.name, identity: lease.spec?.holderIdentity }, 'member expired');
      return true;
    } catch (error) {
      // It was renewed, or another member was faster: the next list shows which.
      if (!isConflict(error) && !isNotFound(error)) throw error;
      this.wake();
      return false;
    }
  }

  /** Compares what this process owns with what it is to own among the members. */
  #divide(others: readonly OtherMember[]): void {
    const { name, scheme, observer, logger } = this.#options;
    if (this.#stop.signal.aborted) return;
    const live = others.filter(({ lease, isLive }) => isLive && hasScheme(lease, scheme));
    const members = live.map(({ lease }) => lease.metadata.name!);
    if (this.#lease) members.push(name);
    const owners = this.#ownersAmong(members);
    const taken = new Set(others.flatMap(({ lease }) => [...claimsOf(lease, scheme)]));
    const wanted = new Set<number>();
    const gained = new Set<number>();
    const before = this.#owned;
    let missing = 0;
    for (let number = 0; number < shardCount; number += 1) {
      const isAssigned = this.#lease !== undefined && owners[number] === name;
      const isMine = isAssigned && (!this.#isLeaving || this.#shards.has(number));
      const isStored = this.#claims.has(number);
      if (!isMine) this.#shards.get(number)?.lose(new ShardLostError('it went to another member'));
      const shard = this.#shards.get(number);
      if (shard?.isLost && !shard.isBusy) this.#shards.delete(number);
      if (isMine && isStored && !taken.has(number) && !this.#shards.has(number)) gained.add(number);
      if (gained.has(number)) this.#shards.set(number, new Shard(this.#renewals, () => this.wake()));
      if (isMine && !this.shard(number)) missing += 1;
      if (this.#shards.has(number) || (isMine && (isStored || !taken.has(number)))) wanted.add(number);
    }
    this.#wanted = wanted;
    this.#missing = this.#lease && missing;
    const owned = this.#owned;
    observer?.divided(members.length, owned);
    const lost = before + gained.size - owned;
    if (gained.size > 0 || lost > 0) {
      logger.info({ members: members.length, shards: owned, gained: gained.size, lost }, 'shards changed');
      this.#tellChange();
    }
    if (gained.size > 0) for (const listener of this.#gainListeners) listener(gained);
  }

  get #owned(): number {
    return [...this.#shards.values()].filter(({ isLost }) => !isLost).length;
  }

  #ownersAmong(members: readonly string[]): string[] {
    const text = members.toSorted().join();
    if (text !== this.#ownersOf) this.#owners = assignShards(members);
    this.#ownersOf = text;
    return this.#owners;
  }

  #wasDeleted(): void {
    this.#options.logger.warn({ lease: this.#options.name }, 'lease deleted; joining again');
    this.#loseAll('the Lease of this replica was deleted');
    this.wake();
  }

  /** Forgets also what still runs: it cannot write any more. */
  #loseAll(why: string): void {
    for (const shard of this.#shards.values()) shard.lose(new ShardLostError(why));
    this.#shards.clear();
    this.#claims = none;
    this.#wanted = none;
    this.#lease = undefined;
    this.#missing = undefined;
    this.#options.observer?.divided(0, 0);
    this.#tellChange();
  }

  #tellChange(): void {
    for (const listener of this.#changeListeners) listener();
  }

  async #succeeds(attempt: () => Promise<void>): Promise<boolean> {
    try {
      await attempt();
      this.#lastError = undefined;
      return true;
    } catch (error) {
      this.#report(error);
      this.#lastError = error;
      return false;
    }
  }

  /** Logs each problem once: attempts follow each other within seconds. */
  #report(error: unknown): void {
    const isKnown = this.#lastError !== undefined && errorMessage(this.#lastError) === errorMessage(error);
    const level = isKnown || isKnownOutage(error) ? 'debug' : 'warn';
    const details = { lease: this.#options.name, reason: errorMessage(error) };
    this.#options.logger[level](details, 'cannot read or renew the leases of members');
  }
}
