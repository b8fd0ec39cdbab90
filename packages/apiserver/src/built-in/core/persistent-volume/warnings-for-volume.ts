import type { PersistentVolume } from 'ots-kubernetes/core/v1';

const deprecatedAnnotations = new Map([
  [
    'volume.beta.kubernetes.io/storage-class',
    'deprecated since v1.8; use "storageClassName" attribute instead',
  ],
  ['volume.beta.kubernetes.io/mount-options', 'deprecated since v1.31; use "mountOptions" attribute instead'],
]);
const goneSources = [
  ['cephfs', 'cephfs', 'deprecated in v1.28, non-functional in v1.31+'],
  ['photonPersistentDisk', 'photonPersistentDisk', 'deprecated in v1.11, non-functional in v1.16+'],
  ['scaleIO', 'scaleIO', 'deprecated in v1.16, non-functional in v1.22+'],
  ['storageos', 'storageOS', 'deprecated in v1.22, non-functional in v1.25+'],
  ['glusterfs', 'glusterfs', 'deprecated in v1.25, non-functional in v1.26+'],
  ['rbd', 'rbd', 'deprecated in v1.28, non-functional in v1.31+'],
] as const;

/** Warnings for the writer of a PersistentVolume. */
export function warningsForVolume({ metadata, spec = {} }: PersistentVolume): string[] {
  return [
    ...[...deprecatedAnnotations]
      .filter(([key]) => metadata.annotations?.[key] !== undefined)
      .map(([key, text]) => `metadata.annotations[${key}]: ${text}`),
    ...(spec.persistentVolumeReclaimPolicy === 'Recycle'
      ? [
          'spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.',
        ]
      : []),
    ...goneSources
      .filter(([field]) => spec[field] !== undefined)
      .map(([, shown, text]) => `spec.${shown}: ${text}`),
  ];
}
