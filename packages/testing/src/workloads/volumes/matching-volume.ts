import { nanosOf } from 'ots-apimachinery/quantity/amount';
import { groupBy } from 'ots-apimachinery/group-by';
import { labelSelectorMatcher } from '../pods/label-selector-matcher.ts';
import {
  type CachedClaim,
  type CachedVolume,
  attributesClassOf,
  classNameOf,
  classNameOfVolume,
  haveDifferentModes,
  isVolumeOf,
} from './claim.ts';

/** Where a claim looks for its volume. */
export interface Search {
  readonly volumes: readonly CachedVolume[];
  /** Whether only a volume that is reserved for the claim counts. Default false. */
  readonly isReservedOnly?: boolean;
  /** Whether a volume can be used where the pod is to run. Default: every one. */
  readonly isReachable?: (volume: CachedVolume) => boolean;
}

/** The size of a volume in billionths of a byte. */
export function sizeOf({ spec }: CachedVolume): bigint {
  return nanosOf(spec?.capacity?.['storage'] ?? 0);
}

/** The size that a claim asks for in billionths of a byte. */
export function requestedSize({ spec }: CachedClaim): bigint {
  return nanosOf(spec?.resources?.requests?.['storage'] ?? 0);
}

/** Whether a volume has all access modes of a claim. */
export function hasAccessModes({ spec }: CachedVolume, claim: CachedClaim): boolean {
  return (claim.spec?.accessModes ?? []).every((mode) => spec?.accessModes?.includes(mode));
}

/**
 * The volume that the controller of volumes gives to a claim: one with as few access modes as possible that is reserved for the claim,
 * or else the smallest of them, then the first by name.
 */
export function bestVolume(claim: CachedClaim, { volumes, ...search }: Search): CachedVolume | undefined {
  const candidates = volumes.filter(
    (volume) => (!volume.spec?.claimRef || isVolumeOf(volume, claim)) && hasAccessModes(volume, claim),
  );
  const groups = [...groupBy(candidates, modesOf).values()];
  groups.sort((a, b) => countModes(a) - countModes(b) || (modesOf(a[0]!) < modesOf(b[0]!) ? -1 : 1));
  for (const group of groups) {
    const volume = matchingVolume(claim, { ...search, volumes: group });
    if (volume) return volume;
  }
  return undefined;
}

/** The volume among some that is reserved for a claim, or else the smallest that it can have, then the first by name. */
export function matchingVolume(
  claim: CachedClaim,
  { volumes, isReservedOnly = false, isReachable = () => true }: Search,
): CachedVolume | undefined {
  const fitting = volumes.filter((volume) => canHold(volume, claim));
  const reserved = fitting.find((volume) => isVolumeOf(volume, claim));
  if (reserved) return isReachable(reserved) ? reserved : undefined;
  if (isReservedOnly) return undefined;
  const { selector } = claim.spec ?? {};
  const matches = selector ? labelSelectorMatcher(selector) : () => true;
  const available = fitting.filter(
    (volume) =>
      volume.status?.phase === 'Available' &&
      matches(volume.metadata.labels) &&
      classNameOfVolume(volume) === classNameOf(claim) &&
      isReachable(volume),
  );
  return available.toSorted(bySize)[0];
}

function canHold(volume: CachedVolume, claim: CachedClaim): boolean {
  return (
    (!volume.spec?.claimRef || isVolumeOf(volume, claim)) &&
    sizeOf(volume) >= requestedSize(claim) &&
    !haveDifferentModes(claim, volume) &&
    attributesClassOf(volume) === attributesClassOf(claim) &&
    volume.metadata.deletionTimestamp === undefined
  );
}

function bySize(a: CachedVolume, b: CachedVolume): number {
  const difference = sizeOf(a) - sizeOf(b);
  if (difference !== 0n) return difference < 0n ? -1 : 1;
  return a.metadata.name! < b.metadata.name! ? -1 : 1;
}

function modesOf({ spec }: CachedVolume): string {
  return (spec?.accessModes ?? []).toSorted().join();
}

function countModes([volume]: readonly CachedVolume[]): number {
  return volume?.spec?.accessModes?.length ?? 0;
}
