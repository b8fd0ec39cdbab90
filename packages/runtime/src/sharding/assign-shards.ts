import { hashOf, mixed } from './hash.ts';
import { shardCount } from './shard-of.ts';

/**
 * Assigns every shard to a member by rendezvous hashing: a shard belongs to the member with the highest score for it.
 * Another member takes an equal part from each, and the shards of one that leaves go to all others in equal parts.
 * @param members their names, in any order.
 * @returns the owners by the number of the shard; empty if there are no members.
 */
export function assignShards(members: readonly string[]): string[] {
  if (members.length === 0) return [];
  // Sorted, because two scores may be equal.
  const seeds = members.toSorted().map((name) => ({ name, seed: hashOf(name) }));
  return Array.from({ length: shardCount }, (_, shard) => {
    const salt = mixed(shard + 1);
    const scores = seeds.map(({ seed }) => mixed(seed ^ salt));
    return seeds[scores.indexOf(Math.max(...scores))]!.name;
  });
}
