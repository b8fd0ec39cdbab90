import type { Shard } from '../../src/sharding/shard.ts';

/** Complains when a write belongs to a former owner of its shard. */
export class ShardWitness {
  readonly complaints: string[] = [];
  /** Writes happen only in the first shards, so that they meet. */
  readonly observedShards = 12;
  /** How many writes it has seen. */
  writes = 0;
  readonly #latest = new Map<number, Shard>();

  /** Records that a process owns the shard from now on. */
  owned(number: number, shard: Shard): void {
    this.#latest.set(number, shard);
  }

  /** Records a write in a shard. */
  wrote(number: number, shard: Shard, what: string): void {
    this.writes += 1;
    if (this.#latest.get(number) === shard) return;
    this.complaints.push(`a write of a former owner of shard ${number} ${what}`);
  }
}
