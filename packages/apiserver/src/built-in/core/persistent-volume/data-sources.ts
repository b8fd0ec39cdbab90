import type { PersistentVolumeClaimSpec } from 'ots-kubernetes/core/v1';

/** Drops a source that volumes were never made of: once it was let through, and ignored. Changes `spec`. */
export function dropUnknownSource(spec: PersistentVolumeClaimSpec): void {
  if (!spec.dataSource || spec.dataSourceRef) return;
  const { apiGroup, kind } = spec.dataSource;
  const isClaim = kind === 'PersistentVolumeClaim' && !apiGroup;
  const isSnapshot = kind === 'VolumeSnapshot' && apiGroup === 'snapshot.storage.k8s.io';
  if (!isClaim && !isSnapshot) delete spec.dataSource;
}

/** Of the two fields for one thing, the one that is missing follows the other. Changes `spec`. */
export function alignDataSources(spec: PersistentVolumeClaimSpec): void {
  const { dataSource, dataSourceRef } = spec;
  if (dataSource && !dataSourceRef) spec.dataSourceRef = { ...dataSource };
  if (!dataSourceRef || dataSource || dataSourceRef.namespace) return;
  const { namespace: _, ...source } = dataSourceRef;
  spec.dataSource = source;
}
