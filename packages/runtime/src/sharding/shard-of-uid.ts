import { fnv64 } from 'ots-apimachinery/fnv64';
import { shardCount } from './shard-of.ts';

/** How many bits of the upper half of a hash do not matter for its shard. */
const lowerBits = 32 - Math.log2(shardCount);

/**
 * The shard of an object by its UID: each shard is a range of hashes, as shard selectors name them (KEP-5866).
 * @param uid its `metadata.uid`.
 */
export function shardOfUid(uid: string): number {
  return fnv64(uid).high >>> lowerBits;
}

/**
 * The shard selector of the objects in these shards. Shards that follow each other are one range.
 * @returns undefined for all shards: no selector then selects the same. For no shards, a range of a single hash: the
 *   syntax has no empty one.
 */
export function shardSelector(shards: ReadonlySet<number>): string | undefined {
  if (shards.size === shardCount) return undefined;
  if (shards.size === 0) return rangeText('0x0000000000000000', '0x0000000000000001');
  const ranges: string[] = [];
  for (let start = 0; start < shardCount; start += 1) {
    if (!shards.has(start)) continue;
    let end = start + 1;
    while (shards.has(end)) end += 1;
    ranges.push(rangeText(boundary(start), boundary(end)));
    start = end;
  }
  return ranges.join(' || ');
}

function rangeText(start: string, end: string): string {
  return `shardRange(object.metadata.uid, '${start}', '${end}')`;
}

/** The first hash of a shard; of the one after the last, the end of all hashes. */
function boundary(shard: number): string {
  if (shard === shardCount) return '0x10000000000000000';
  return `0x${(shard * 2 ** lowerBits).toString(16).padStart(8, '0')}00000000`;
}
