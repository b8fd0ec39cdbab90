import type { PodSpec } from 'ots-kubernetes/core/v1';
import type { DecodedPod } from './pod-strategy.ts';
import { sameSpec } from './same-spec.ts';

/** Restores a pod except for some fields of its spec; undefined removes a field. Increases the generation if necessary. */
export function keepAllBut(
  pod: DecodedPod,
  old: DecodedPod,
  fields: { [K in keyof PodSpec]?: PodSpec[K] | undefined },
): void {
  const spec = { ...old.spec, ...fields } as PodSpec;
  for (const [name, value] of Object.entries(fields))
    if (value === undefined) delete spec[name as keyof PodSpec];
  pod.spec = spec;
  if (old.status) pod.status = old.status;
  else delete pod.status;
  const { resourceVersion, managedFields, ...metadata } = pod.metadata;
  pod.metadata = { ...old.metadata };
  delete pod.metadata.resourceVersion;
  delete pod.metadata.managedFields;
  if (resourceVersion !== undefined) pod.metadata.resourceVersion = resourceVersion;
  if (managedFields !== undefined) pod.metadata.managedFields = managedFields;
  pod.metadata.uid = metadata.uid ?? old.metadata.uid ?? '';
  const { generation = 0 } = old.metadata;
  pod.metadata.generation = sameSpec(spec, old.spec) ? generation : generation + 1;
}
