import type { Quantity } from 'ots-kubernetes';
import { nanosOf } from 'ots-apimachinery/quantity/amount';
import { showQuantity } from '../validation/validate-quantity.ts';

const measured = ['cpu', 'memory', 'storage', 'ephemeral-storage'];
/** The bare name also means requests. */
const bare = new Set(['cpu', 'memory']);

/** Warns about a quota that allows higher requests than limits. */
export function warningsForQuota(hard: Record<string, Quantity>): string[] {
  return measured.flatMap((resource) => {
    const names = [`requests.${resource}`, ...(bare.has(resource) ? [resource] : [])];
    const name = names.find((one) => hard[one] !== undefined) ?? '';
    const request = hard[name];
    const limit = hard[`limits.${resource}`];
    if (request === undefined || limit === undefined || nanosOf(request) <= nanosOf(limit)) return [];
    return [
      `ResourceQuota ${name} (${showQuantity(request)}) should be less than limits.${resource} (${showQuantity(limit)})`,
    ];
  });
}
