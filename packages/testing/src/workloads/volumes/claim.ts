import type { PersistentVolume, PersistentVolumeClaim } from 'ots-kubernetes/core/v1';
import { StorageClass } from 'ots-kubernetes/storage/v1';
import type { Cache, DeepReadonly } from 'ots-runtime';

/** A claim of the cache. */
export type CachedClaim = DeepReadonly<PersistentVolumeClaim>;
/** A volume of the cache. */
export type CachedVolume = DeepReadonly<PersistentVolume>;
/** A storage class of the cache. */
export type CachedClass = DeepReadonly<StorageClass>;

const betaClass = 'volume.beta.kubernetes.io/storage-class';
const defaultAnnotations = [
  'storageclass.kubernetes.io/is-default-class',
  'storageclass.beta.kubernetes.io/is-default-class',
];

/** The name of the class of a claim; empty if it has none. */
export function classNameOf({ metadata, spec }: CachedClaim): string {
  return metadata.annotations?.[betaClass] ?? spec?.storageClassName ?? '';
}

/** Whether a claim says which class it wants, which may be none. */
export function namesClass({ metadata, spec }: CachedClaim): boolean {
  return metadata.annotations?.[betaClass] !== undefined || spec?.storageClassName !== undefined;
}

/** The name of the class of a volume; empty if it has none. */
export function classNameOfVolume({ metadata, spec }: CachedVolume): string {
  return metadata.annotations?.[betaClass] ?? spec?.storageClassName ?? '';
}

/** The name of the class of attributes of a claim or volume; empty if it has none. */
export function attributesClassOf({ spec }: CachedClaim | CachedVolume): string {
  return spec?.volumeAttributesClassName ?? '';
}

/** The class of a claim; undefined if it has none or the class does not exist. */
export function classOf(claim: CachedClaim, cache: Cache): CachedClass | undefined {
  const name = classNameOf(claim);
  return name === '' ? undefined : cache.get(StorageClass, { name });
}

/** Whether the volume of a claim is chosen when a pod that uses it has a node. */
export function isDelayed(claim: CachedClaim, cache: Cache): boolean {
  return classOf(claim, cache)?.volumeBindingMode === 'WaitForFirstConsumer';
}

/** The class of claims that name none: the youngest of the default classes, then the first by name. */
export function defaultClass(cache: Cache): CachedClass | undefined {
  const createdAt = ({ metadata }: CachedClass): number => Date.parse(metadata.creationTimestamp ?? '');
  return cache
    .list(StorageClass)
    .filter(({ metadata }) => defaultAnnotations.some((key) => metadata.annotations?.[key] === 'true'))
    .toSorted((a, b) => createdAt(b) - createdAt(a) || (a.metadata.name! < b.metadata.name! ? -1 : 1))[0];
}

/** Whether a volume is reserved for a claim, or bound to it. */
export function isVolumeOf({ spec }: CachedVolume, { metadata }: CachedClaim): boolean {
  const { claimRef } = spec ?? {};
  return (
    claimRef?.name === metadata.name &&
    claimRef?.namespace === metadata.namespace &&
    (!claimRef?.uid || claimRef.uid === metadata.uid)
  );
}

/** Whether one is a file system and the other a block device. */
export function haveDifferentModes(claim: CachedClaim, volume: CachedVolume): boolean {
  return (claim.spec?.volumeMode ?? 'Filesystem') !== (volume.spec?.volumeMode ?? 'Filesystem');
}
