import { hashOf } from './hash.ts';

/**
 * How many shards all keys fall into. Enough for a fair division among a dozen members (with three, each owns 31 to 36%
 * of the shards), and few enough to list in an annotation.
 */
export const shardCount = 1024;

/**
 * The shard of a key.
 * @param key a namespace, a UID, or another text that all members know.
 */
export function shardOf(key: string): number {
  return hashOf(key) % shardCount;
}
