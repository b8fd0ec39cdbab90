import type { PersistentVolumeClaim } from 'ots-kubernetes/core/v1';
import { nanosOf } from '../../../objects/quantity.ts';
import { showQuantity } from '../../validation/validate-quantity.ts';

const annotation = 'volume.beta.kubernetes.io/storage-class';

/** What the writer of a claim is told beside the answer. */
export function warningsForClaim({ metadata, spec = {} }: PersistentVolumeClaim): string[] {
  const sizes = (['requests', 'limits'] as const).flatMap((list) => {
    const size = spec.resources?.[list]?.['storage'] ?? 0;
    const path = `spec.resources.${list}[storage]`;
    return nanosOf(size) % 1_000_000_000n === 0n
      ? []
      : [`${path}: fractional byte value "${showQuantity(size)}" is invalid, must be an integer`];
  });
  if (metadata.annotations?.[annotation] === undefined) return sizes;
  return [
    `metadata.annotations[${annotation}]: deprecated since v1.8; use "storageClassName" attribute instead`,
    ...sizes,
  ];
}
