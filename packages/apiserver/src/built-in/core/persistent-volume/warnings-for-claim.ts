import type { PersistentVolumeClaim, PersistentVolumeClaimSpec } from 'ots-kubernetes/core/v1';
import { nanosOf } from 'ots-apimachinery/quantity/amount';
import { showQuantity } from '../../validation/validate-quantity.ts';

const annotation = 'volume.beta.kubernetes.io/storage-class';

/** Warnings for the writer of a claim. */
export function warningsForClaim({ metadata, spec = {} }: PersistentVolumeClaim): string[] {
  const sizes = warningsForClaimSpec(spec, 'spec');
  if (metadata.annotations?.[annotation] === undefined) return sizes;
  return [
    `metadata.annotations[${annotation}]: deprecated since v1.8; use "storageClassName" attribute instead`,
    ...sizes,
  ];
}

/** Warnings about the size that a claim requests. */
export function warningsForClaimSpec({ resources }: PersistentVolumeClaimSpec, path: string): string[] {
  return (['requests', 'limits'] as const).flatMap((list) => {
    const size = resources?.[list]?.['storage'] ?? 0;
    const field = `${path}.resources.${list}[storage]`;
    return nanosOf(size) % 1_000_000_000n === 0n
      ? []
      : [`${field}: fractional byte value "${showQuantity(size)}" is invalid, must be an integer`];
  });
}
