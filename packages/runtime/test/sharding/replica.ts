import { createLogger } from '../../src/logging/create-logger.ts';
import { shardScheme } from '../../src/sharding/claims.ts';
import { ShardMember } from '../../src/sharding/shard-member.ts';
import type { Shard, ShardWork } from '../../src/sharding/shard.ts';
import { electionTiming } from '../../src/leader-election/leader-election-options.ts';
import type { LeaseServer, Network } from './lease-server.ts';
import type { ShardWitness } from './shard-witness.ts';
import { ProcessClock, type World } from './world.ts';

const logger = createLogger({ level: 'silent' });
/** How long a write is under way at most: less than `leaseDuration - renewDeadline`, in milliseconds. */
const maxFlightMs = 4900;

/** A reconcile. */
class Work implements ShardWork {
  readonly #obeys: boolean;
  isOver = false;

  /** @param obeys whether it ends when its signal aborts. */
  constructor(obeys: boolean) {
    this.#obeys = obeys;
  }

  abort(): void {
    this.isOver = this.#obeys;
  }
}

/** A process that is a member and writes in its shards. */
export class Replica {
  readonly clock: ProcessClock;
  readonly member: ShardMember;
  readonly by: 'namespace' | 'uid';
  readonly #world: World;
  readonly #witness: ShardWitness;
  readonly #random: () => number;
  #runs = 0;
  #isStopping = false;

  constructor(
    name: string,
    parts: {
      world: World;
      server: LeaseServer;
      network: Network;
      witness: ShardWitness;
      random: () => number;
      by?: 'namespace' | 'uid';
    },
  ) {
    const { world, server, network, witness, random, by = 'namespace' } = parts;
    this.by = by;
    this.#world = world;
    this.#witness = witness;
    this.#random = random;
    this.clock = new ProcessClock(world);
    this.member = new ShardMember({
      leases: server.reachedBy(this.clock, network),
      name,
      identity: name,
      scheme: shardScheme(by),
      timing: electionTiming({}),
      clock: this.clock,
      logger,
    });
    this.member.onGain((shards) => {
      for (const number of shards) witness.owned(number, this.member.shard(number)!);
    });
    this.member.start();
    this.#reconcileLater();
  }

  get isAlive(): boolean {
    return !this.clock.isDead && !this.#isStopping;
  }

  kill(): void {
    this.clock.isDead = true;
  }

  /** Ends its reconciles, and leaves. */
  async stop(): Promise<void> {
    if (this.#isStopping) return;
    this.#isStopping = true;
    this.member.prepareToLeave();
    while (this.#runs > 0) await new Promise<void>((resolve) => this.clock.setTimeout(resolve, 50));
    await this.member.leave();
  }

  #reconcileLater(): void {
    this.clock.setTimeout(
      () => {
        if (this.#isStopping) return;
        this.#reconcileLater();
        const number = Math.floor(this.#random() * this.#witness.observedShards);
        const shard = this.member.shard(number);
        if (shard) void this.#reconcile(number, shard);
      },
      20 + this.#random() * 200,
    );
  }

  /** Writes some times, each time waiting for the response. */
  async #reconcile(number: number, shard: Shard): Promise<void> {
    const work = new Work(this.#random() < 0.7);
    shard.enter(work);
    this.#runs += 1;
    for (let left = Math.floor(this.#random() * 4); left > 0 && !work.isOver; left -= 1) {
      if (!(await this.#writes(number, shard))) break;
    }
    this.#runs -= 1;
    shard.leave(work);
  }

  /** False if the fence is closed. */
  async #writes(number: number, shard: Shard): Promise<boolean> {
    try {
      shard.fence();
    } catch {
      return false;
    }
    this.#witness.wrote(number, shard, 'passed the fence');
    const flight = this.#random() < 0.1 ? this.#random() * maxFlightMs : this.#random() * 50;
    await new Promise<void>((resolve) => {
      this.#world.outside.setTimeout(() => {
        this.#witness.wrote(number, shard, 'arrived');
        this.clock.setTimeout(resolve, 0);
      }, flight);
    });
    return true;
  }
}
