import type { PersistentVolumeClaimSpec } from 'ots-kubernetes/core/v1';

/** Drops a source of an unsupported kind, which older servers accepted and ignored. Changes `spec`. */
export function dropUnknownSource(spec: PersistentVolumeClaimSpec): void {
  if (!spec.dataSource || spec.dataSourceRef) return;
  const { apiGroup, kind } = spec.dataSource;
  const isClaim = kind === 'PersistentVolumeClaim' && !apiGroup;
  const isSnapshot = kind === 'VolumeSnapshot' && apiGroup === 'snapshot.storage.k8s.io';
  if (!isClaim && !isSnapshot) delete spec.dataSource;
}

/** Of two fields with the same meaning, sets the missing one. Changes `spec`. */
export function alignDataSources(spec: PersistentVolumeClaimSpec): void {
  const { dataSource, dataSourceRef } = spec;
  if (dataSource && !dataSourceRef) spec.dataSourceRef = { ...dataSource };
  if (!dataSourceRef || dataSource || dataSourceRef.namespace) return;
  const { namespace: _, ...source } = dataSourceRef;
  spec.dataSource = source;
}
