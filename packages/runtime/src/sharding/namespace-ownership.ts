import type { NamespaceOwnership } from '../cache/own-namespaces.ts';
import type { ShardMember } from './shard-member.ts';
import { shardOf } from './shard-of.ts';

/**
 * The namespaces in the shards of a member.
 * @param member returns it; the cache asks only while the manager runs.
 */
export function namespaceOwnership(member: () => ShardMember): NamespaceOwnership {
  return {
    owns: (namespace) => member().shard(shardOf(namespace)) !== undefined,
    onChange: (listener) => member().onChange(listener),
  };
}
