import type { Lease } from 'ots-kubernetes/coordination/v1';
import type { ShardingOptions } from './sharding-options.ts';
import { shardCount } from './shard-of.ts';

/** The annotation of a member's Lease that lists the shards it has claimed. */
export const claimsAnnotation = 'runtime.ots/shards';
/** The label that Leases of one operator's members share; its value is the prefix of their names. */
export const memberLabel = 'runtime.ots/member-of';

/**
 * What two members must agree on to divide keys: which shard a key belongs to. Members with another scheme, such as
 * those of the previous version during an update, keep what they have claimed until they leave.
 */
export function shardScheme(by: ShardingOptions['by']): string {
  return `${by === 'uid' ? 'v2' : 'v1'}/${by}/${shardCount}`;
}

/** The text of the annotation: the scheme, and a bit for each shard in Base64. */
export function claimsText(scheme: string, shards: ReadonlySet<number>): string {
  const bits = Buffer.alloc(shardCount / 8);
  for (const shard of shards) bits[shard >> 3]! |= 1 << (shard & 7);
  return `${scheme}/${bits.toString('base64')}`;
}

/** Whether a member divides keys by this scheme. */
export function hasScheme(lease: Lease, scheme: string): boolean {
  return lease.metadata.annotations?.[claimsAnnotation]?.startsWith(`${scheme}/`) ?? false;
}

/** The shards that the Lease claims; all of them if it has another scheme, or its annotation cannot be read. */
export function claimsOf(lease: Lease, scheme: string): ReadonlySet<number> {
  const text = lease.metadata.annotations?.[claimsAnnotation] ?? '';
  const bits = Buffer.from(text.slice(scheme.length + 1), 'base64');
  const isReadable = hasScheme(lease, scheme) && bits.length === shardCount / 8;
  const all = Array.from({ length: shardCount }, (_, shard) => shard);
  return new Set(isReadable ? all.filter((shard) => (bits[shard >> 3]! & (1 << (shard & 7))) !== 0) : all);
}
