import type { ObjectOwnership } from '../cache/own-objects.ts';
import type { ShardMember } from './shard-member.ts';
import { shardOfUid, shardSelector } from './shard-of-uid.ts';
import { shardCount } from './shard-of.ts';

/**
 * The objects in the shards of a member, by their UIDs.
 * @param member returns it; the cache asks only while the manager runs.
 */
export function objectOwnership(member: () => ShardMember): ObjectOwnership {
  const owned = (): ReadonlySet<number> => {
    const all = Array.from({ length: shardCount }, (_, shard) => shard);
    return new Set(all.filter((shard) => member().shard(shard) !== undefined));
  };
  return {
    owns: (uid) => member().shard(shardOfUid(uid)) !== undefined,
    get selector() {
      return shardSelector(owned());
    },
    onChange: (listener) => {
      let before = owned();
      return member().onChange(() => {
        const now = owned();
        const hasGained = [...now].some((shard) => !before.has(shard));
        before = now;
        listener(hasGained);
      });
    },
  };
}
