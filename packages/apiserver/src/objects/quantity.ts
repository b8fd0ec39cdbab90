import type { Quantity } from 'ots-kubernetes';
import { type QuantityForm, binarySuffixes, decimalSuffixes, formatAmount } from './format-amount.ts';

/** An amount with the form that it was written in, which is kept when it is written again. */
export interface Amount {
  /** In billionths, the smallest part that is kept. */
  readonly nanos: bigint;
  readonly form: QuantityForm;
}

const pattern = /^([+-]?)(\d*)(?:\.(\d*))?(?:(n|u|m|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei)|[eE]([+-]?\d{1,3}))?$/;
const unit = 1_000_000_000n;
const milli = 1_000_000n;
const largestBinary = (2n ** 63n - 1n) * unit;

/** Reads an amount; undefined for a text that is none. */
export function parseQuantity(quantity: Quantity): Amount | undefined {
  const [, sign, whole = '', fraction = '', suffix = '', exponent] = pattern.exec(`${quantity}`) ?? [];
  if (sign === undefined || whole + fraction === '') return undefined;
  const binary = binarySuffixes.indexOf(suffix);
  const isBinary = binary > 0;
  const power = exponent === undefined ? (decimalSuffixes.indexOf(suffix) - 3) * 3 : Number(exponent);
  const digits = BigInt(whole + fraction) * (isBinary ? 1024n ** BigInt(binary) : 1n);
  const magnitude = scaleUp(digits, (isBinary ? 0 : power) - fraction.length + 9);
  const capped = isBinary && magnitude > largestBinary ? largestBinary : magnitude;
  const form = isBinary && capped >= unit ? 'binary' : exponent === undefined ? 'decimal' : 'exponent';
  return { nanos: sign === '-' ? -capped : capped, form };
}

/** Shifts by a power of ten; what is lost counts as one more. */
function scaleUp(digits: bigint, power: number): bigint {
  if (power >= 0) return digits * 10n ** BigInt(power);
  const divisor = 10n ** BigInt(-power);
  return (digits + divisor - 1n) / divisor;
}

/** Writes an amount in its shortest form, as a server answers it. */
export function formatQuantity({ nanos, form }: Amount): string {
  return formatAmount(nanos, -9, form);
}

/** An amount in billionths; zero for a text that is none. */
export function nanosOf(quantity: Quantity): bigint {
  return parseQuantity(quantity)?.nanos ?? 0n;
}

/** An amount no finer than a thousandth: the rest makes it larger, and then it is written in its shortest form. */
export function roundUpToMilli(quantity: Quantity): Quantity {
  const amount = parseQuantity(quantity);
  if (!amount) return quantity;
  const { nanos, form } = amount;
  const rest = nanos % milli;
  if (rest === 0n) return quantity;
  return formatQuantity({ nanos: nanos - rest + (nanos < 0n ? -milli : milli), form });
}
