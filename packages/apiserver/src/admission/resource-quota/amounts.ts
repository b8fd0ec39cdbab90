import type { Quantity } from 'ots-kubernetes';
import { type Amount, amountOf, formatQuantity } from 'ots-apimachinery/quantity/amount';

/** Amounts by the name of what a quota counts, such as `pods` or `requests.cpu`. */
export type Amounts = ReadonlyMap<string, Amount>;

export const zero: Amount = { nanos: 0n, form: 'decimal' };
const unit = 1_000_000_000n;

export function countOf(count: number): Amount {
  return { nanos: BigInt(count) * unit, form: 'decimal' };
}

export function parseAmounts(list: Readonly<Record<string, Quantity>> = {}): Amounts {
  return new Map(Object.entries(list).map(([name, quantity]) => [name, amountOf(quantity) ?? zero]));
}

export function formatAmounts(amounts: Amounts): Record<string, Quantity> {
  return Object.fromEntries(
    [...amounts.keys()].toSorted().map((name) => [name, formatQuantity(amounts.get(name) ?? zero)]),
  );
}

/** `cpu=1,memory=2Gi`, as messages list amounts. */
export function listAmounts(amounts: Amounts, names: readonly string[]): string {
  const listed = names.filter((name) => amounts.has(name)).toSorted();
  return listed.map((name) => `${name}=${formatQuantity(amounts.get(name) ?? zero)}`).join(',');
}

/** The sum of two lists. Zero takes the form of what is added to it. */
export function add(one: Amounts, other: Amounts): Amounts {
  const sum = new Map(one);
  for (const [name, { nanos, form }] of other) {
    const before = sum.get(name) ?? zero;
    sum.set(name, { nanos: before.nanos + nanos, form: before.nanos === 0n ? form : before.form });
  }
  return sum;
}

/** What the first list has more than the second one, without what would be zero or less. */
export function increase(amounts: Amounts, before: Amounts): Amounts {
  const more = [...amounts].map(([name, { nanos, form }]): [string, Amount] => [
    name,
    { nanos: nanos - (before.get(name)?.nanos ?? 0n), form },
  ]);
  return new Map(more.filter(([, { nanos }]) => nanos > 0n));
}

export function pick(amounts: Amounts, names: ReadonlySet<string>): Amounts {
  return new Map([...amounts].filter(([name]) => names.has(name)));
}

/** Whether two lists name the same things in the same amounts. */
export function sameAmounts(one: Amounts, other: Amounts): boolean {
  return one.size === other.size && [...one].every(([name, { nanos }]) => other.get(name)?.nanos === nanos);
}
