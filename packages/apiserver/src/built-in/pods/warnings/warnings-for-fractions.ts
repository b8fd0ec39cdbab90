import type { ResourceRequirements } from 'ots-kubernetes/core/v1';
import { nanosOf } from 'ots-apimachinery/quantity/amount';
import { showQuantity } from '../../validation/validate-quantity.ts';

const unit = 1_000_000_000n;

/** Warns about quantities of fractional bytes. */
export function warningsForFractions(
  resources: Pick<ResourceRequirements, 'limits' | 'requests'>,
  names: readonly string[],
  path: string,
): string[] {
  return names.flatMap((name) =>
    (['limits', 'requests'] as const).flatMap((list) => {
      const amount = resources[list]?.[name];
      if (amount === undefined || nanosOf(amount) % unit === 0n) return [];
      return [
        `${path}.${list}[${name}]: fractional byte value "${showQuantity(amount)}" is invalid, must be an integer`,
      ];
    }),
  );
}
