import type { KubernetesObject } from 'ots-kubernetes';
import type { DeepReadonly } from '../objects/deep-readonly.ts';
import type { JsonPatchOperation } from '../objects/patches.ts';

// Each patch tests what it relies on: the server refuses it and changes nothing if another writer was faster. Other
// than with a resourceVersion, only a change of the finalizers gets in the way, never one of the status or of labels.

const path = '/metadata/finalizers';

/** Adds the finalizer behind those of the object, as they are in it, unless it is being deleted. */
export function addingPatch(object: DeepReadonly<KubernetesObject>, finalizer: string): JsonPatchOperation[] {
  const { finalizers = [], uid } = object.metadata;
  const same: JsonPatchOperation[] = [
    { op: 'test', path: '/metadata/uid', value: uid },
    { op: 'test', path: '/metadata/deletionTimestamp', value: null },
  ];
  if (finalizers.length === 0) {
    return [...same, { op: 'test', path, value: null }, { op: 'add', path, value: [finalizer] }];
  }
  return [
    ...same,
    { op: 'test', path, value: finalizers },
    { op: 'add', path: `${path}/-`, value: finalizer },
  ];
}

/** Removes the finalizer from wherever it is in the object. Undefined when it is not there. */
export function removingPatch(
  object: DeepReadonly<KubernetesObject>,
  finalizer: string,
): JsonPatchOperation[] | undefined {
  const { finalizers = [], uid } = object.metadata;
  const indexes = [...finalizers.keys()].filter((index) => finalizers[index] === finalizer);
  if (indexes.length === 0) return undefined;
  return [
    { op: 'test', path: '/metadata/uid', value: uid },
    // The last one first: those before it stay where they are.
    ...indexes.toReversed().flatMap((index): JsonPatchOperation[] => [
      { op: 'test', path: `${path}/${index}`, value: finalizer },
      { op: 'remove', path: `${path}/${index}` },
    ]),
  ];
}
