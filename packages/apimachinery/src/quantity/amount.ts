import { formatAmount } from './format-amount.ts';
import { type QuantityForm, parseQuantity } from './parse-quantity.ts';

/** An amount with the form that it was written in, which is kept when it is written again. */
export interface Amount {
  /** In billionths, the smallest part that is kept. */
  readonly nanos: bigint;
  readonly form: QuantityForm;
}

const unit = 1_000_000_000n;
const milli = 1_000_000n;
/** Larger powers of ten are not written out, which would take too long. */
const maxScale = 1000;

/** Returns what a quantity amounts to; undefined for a text that is not a quantity, or too large to be written out. */
export function amountOf(quantity: string | number): Amount | undefined {
  const parsed = parseQuantity(`${quantity}`);
  if (typeof parsed === 'string' || parsed.scale > maxScale) return undefined;
  const nanos = parsed.value * 10n ** BigInt(parsed.scale + 9);
  const isFraction = nanos < unit && nanos > -unit;
  return { nanos, form: parsed.form === 'binary' && isFraction ? 'decimal' : parsed.form };
}

/** Writes an amount in its shortest form, as a server returns it. */
export function formatQuantity({ nanos, form }: Amount): string {
  return formatAmount(nanos, -9, form);
}

/** An amount in billionths; zero for a text that is not a quantity. */
export function nanosOf(quantity: string | number): bigint {
  return amountOf(quantity)?.nanos ?? 0n;
}

/** Rounds an amount up to thousandths. A rounded amount is written in its shortest form. */
export function roundUpToMilli(quantity: string | number): string | number {
  const amount = amountOf(quantity);
  if (!amount) return quantity;
  const { nanos, form } = amount;
  const rest = nanos % milli;
  if (rest === 0n) return quantity;
  return formatQuantity({ nanos: nanos - rest + (nanos < 0n ? -milli : milli), form });
}
