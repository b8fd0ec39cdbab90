import type { Quantity } from 'ots-kubernetes';
import type { Container, PodSpec } from 'ots-kubernetes/core/v1';
import { type Amount, amountOf } from 'ots-apimachinery/quantity/amount';
import { isSidecar } from './containers-of.ts';

type Amounts = Map<string, Amount>;

/**
 * The combined resources of a pod's containers: the sum of those that run together, or what one init container
 * needs beside the sidecars before it, whichever is greater.
 *
 * @returns quantities by resource name
 */
export function sumOfContainers(spec: PodSpec, kind: 'requests' | 'limits'): ReadonlyMap<string, Amount> {
  const amountsOf = ({ resources }: Container): Record<string, Quantity> => resources?.[kind] ?? {};
  const sum: Amounts = new Map();
  const sidecars: Amounts = new Map();
  const peak: Amounts = new Map();
  for (const container of spec.containers ?? []) add(sum, amountsOf(container));
  for (const container of spec.initContainers ?? []) {
    const needed = amountsOf(container);
    if (isSidecar(container)) {
      add(sum, needed);
      add(sidecars, needed);
      raise(peak, sidecars);
    } else {
      const beside: Amounts = new Map(sidecars);
      add(beside, needed);
      raise(peak, beside);
    }
  }
  raise(sum, peak);
  return sum;
}

function add(amounts: Amounts, more: Record<string, Quantity>): void {
  for (const [name, quantity] of Object.entries(more)) {
    const amount = amountOf(quantity);
    const before = amounts.get(name);
    if (!amount) continue;
    const isFirst = before === undefined || before.nanos === 0n;
    amounts.set(name, isFirst ? amount : { ...before, nanos: before.nanos + amount.nanos });
  }
}

function raise(amounts: Amounts, others: ReadonlyMap<string, Amount>): void {
  for (const [name, amount] of others) {
    const before = amounts.get(name);
    if (!before || before.nanos < amount.nanos) amounts.set(name, amount);
  }
}
