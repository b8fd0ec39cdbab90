import { type Managers, idOf, secondsOf } from './managers.ts';

const maxUpdates = 10;
const bucketName = 'ancient-changes';

/** Limits the update entries to ten by merging the oldest ones of each version. Changes the map. */
export function capUpdates(managers: Managers): Managers {
  let count = 0;
  for (const { operation } of managers.values()) if (operation === 'Update') count += 1;
  if (count <= maxUpdates) return managers;
  const oldestFirst = [...managers.entries()]
    .filter(([, { operation }]) => operation === 'Update')
    .toSorted(
      ([leftId, left], [rightId, right]) =>
        secondsOf(left.time) - secondsOf(right.time) || (leftId < rightId ? -1 : 1),
    );
  const firstOfVersion = new Map<string, string>();
  for (const [id, manager] of oldestFirst) {
    if (count <= maxUpdates) break;
    const first = firstOfVersion.get(manager.apiVersion);
    if (first === undefined) {
      firstOfVersion.set(manager.apiVersion, id);
      continue;
    }
    const bucket = {
      manager: bucketName,
      operation: 'Update',
      apiVersion: manager.apiVersion,
      subresource: '',
    } as const;
    const collected = managers.get(idOf(bucket)) ?? managers.get(first);
    managers.delete(first);
    managers.delete(id);
    const set = collected ? manager.set.union(collected.set) : manager.set;
    managers.set(idOf(bucket), { ...bucket, time: manager.time, set });
    count -= 1;
  }
  return managers;
}
