import { CelEvaluationError } from './evaluation-error.ts';
import { maxInt } from './numbers.ts';
import { Quantity } from './quantity.ts';

const decimalExponents: Readonly<Record<string, number>> = {
  n: -9,
  u: -6,
  m: -3,
  '': 0,
  k: 3,
  M: 6,
  G: 9,
  T: 12,
  P: 15,
  E: 18,
};
const binaryExponents: Readonly<Record<string, number>> = { Ki: 10, Mi: 20, Gi: 30, Ti: 40, Pi: 50, Ei: 60 };

/** The digits that surely fit 64 bits. */
const safeDigits = 18;
/** Smaller parts are rounded up. */
const nanoExponent = -9;
/** Larger numbers stay as they are: it would take too long. */
const maxShift = 10_000;
/** What a binary quantity is capped at: 2^63 - 1. */
const maxBinary = maxInt;

interface Suffix {
  readonly base: 2 | 10;
  readonly exponent: number;
}

/**
 * Reads a quantity, rounding as the API server does.
 * @returns an error when it is none
 */
export function parseQuantity(text: string): Quantity | CelEvaluationError {
  const match = /^([-+]?)0*((?:[1-9]\d*)?)(?:\.(\d*))?((?:[eEinumkKMGTP]+[-+]?|[-+])\d*|)$/.exec(text);
  if (!match || text === '') return malformed();
  const [, sign = '', whole = '', fraction = '', suffixText = ''] = match;
  const suffix = parseSuffix(suffixText);
  if (!suffix) return new CelEvaluationError("unable to parse quantity's suffix");
  const digits = { whole: whole === '' ? '0' : whole, fraction };
  const hasDigits = fraction !== '' || /\d/.test(text.slice(0, text.length - suffixText.length));
  const quantity = small(digits, suffix) ?? (hasDigits ? large(digits, suffix) : undefined);
  if (!quantity) return new CelEvaluationError('unable to parse numeric part of quantity');
  return sign === '-' ? quantity.negate() : quantity;
}

function malformed(): CelEvaluationError {
  return new CelEvaluationError(
    "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
  );
}

function parseSuffix(text: string): Suffix | undefined {
  if (Object.hasOwn(decimalExponents, text)) return { base: 10, exponent: decimalExponents[text]! };
  if (Object.hasOwn(binaryExponents, text)) return { base: 2, exponent: binaryExponents[text]! };
  const match = /^[eE]([-+]?\d+)$/.exec(text);
  if (!match || match[1]!.length > 20) return undefined;
  const exponent = BigInt(match[1]!.replace('+', ''));
  if (exponent < -(2n ** 63n) || exponent > maxInt) return undefined;
  return { base: 10, exponent: Number(BigInt.asIntN(32, exponent)) };
}

interface Digits {
  readonly whole: string;
  readonly fraction: string;
}

/** The quantity in 64 bits; undefined when it may not fit. */
function small({ whole, fraction }: Digits, { base, exponent }: Suffix): Quantity | undefined {
  const precision =
    base === 10
      ? safeDigits - whole.length - fraction.length
      : fraction === ''
        ? 15 - whole.length - Math.trunc(Math.fround((exponent * 3) / 10)) - 1
        : -1;
  const scale = (base === 10 ? exponent : 0) - fraction.length;
  if (precision < 0 || scale < nanoExponent) return undefined;
  const value = BigInt(whole + fraction) * (base === 2 ? 2n ** BigInt(exponent) : 1n);
  return value > maxInt ? undefined : new Quantity(value, scale, true);
}

function large({ whole, fraction }: Digits, { base, exponent }: Suffix): Quantity {
  let value = BigInt(whole + fraction);
  let scale = -fraction.length;
  if (base === 10) scale += exponent;
  else value *= 2n ** BigInt(exponent);
  if (value !== 0n && scale - nanoExponent <= maxShift) {
    value =
      scale < nanoExponent
        ? divideUp(value, nanoExponent - scale)
        : value * 10n ** BigInt(scale - nanoExponent);
    scale = nanoExponent;
  }
  if (base === 2 && new Quantity(value, scale, false).compareTo(new Quantity(maxBinary, 0, false)) > 0)
    return new Quantity(maxBinary, 0, false);
  return new Quantity(value, scale, false);
}

/** Divides a positive number by a power of ten, rounding up. */
function divideUp(value: bigint, power: number): bigint {
  if (power > String(value).length) return 1n;
  const divisor = 10n ** BigInt(power);
  return (value + divisor - 1n) / divisor;
}
