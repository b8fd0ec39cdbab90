import type { Quantity } from 'ots-kubernetes';
import { roundUpToMilli } from 'ots-apimachinery/quantity/amount';

/** Rounds quantities up to thousandths. Changes the list. */
export function roundResources(resources: Record<string, Quantity> | undefined): void {
  for (const [name, amount] of Object.entries(resources ?? {})) {
    const rounded = roundUpToMilli(amount);
    if (rounded !== amount) (resources as Record<string, Quantity>)[name] = rounded;
  }
}
