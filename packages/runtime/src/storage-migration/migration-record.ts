import type { CustomResourceDefinitionCondition } from 'ots-kubernetes/apiextensions/v1';
import type { StorageState } from './storage-state.ts';

/**
 * The condition of a CRD that says since when its objects are rewritten. It is in the status because that is what a
 * migration may write anyway, and it ends in the same write that drops the old versions.
 */
const type = 'OtsStorageMigration';

/**
 * The resource version since which every API server stores objects in the storage version: an object with a later one
 * is done. Undefined if no migration to this storage version has begun, or the spec has changed since.
 */
export function recordedStart(state: StorageState): string | undefined {
  const message = state.definition.status?.conditions?.find((condition) => condition.type === type)?.message;
  const start = /since resource version (\S+) /.exec(message ?? '')?.[1];
  return start !== undefined && message === messageOf(state, start) ? start : undefined;
}

/** The conditions of a CRD whose objects are rewritten. @param now the current time */
export function conditionsWithStart(
  state: StorageState,
  start: string,
  now: Date,
): CustomResourceDefinitionCondition[] {
  const condition = {
    type,
    status: 'True',
    reason: 'Rewriting',
    message: messageOf(state, start),
    lastTransitionTime: `${now.toISOString().slice(0, 19)}Z`,
  };
  return [...conditionsWithoutStart(state), condition];
}

/** The conditions of a CRD whose objects are all rewritten. */
export function conditionsWithoutStart({ definition }: StorageState): CustomResourceDefinitionCondition[] {
  return (definition.status?.conditions ?? []).filter((condition) => condition.type !== type);
}

function messageOf({ storageVersion, definition }: StorageState, start: string): string {
  const generation = definition.metadata.generation ?? 0;
  return `Objects are rewritten in ${storageVersion}, since resource version ${start} and generation ${generation}`;
}
