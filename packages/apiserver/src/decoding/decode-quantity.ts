import { isNumber, literalOf } from '../json/json-number.ts';
import { DecodeError } from './decode-error.ts';
import {
  type QuantityForm,
  decimalSuffixes,
  formatAmount,
  binarySuffixes,
} from '../objects/format-amount.ts';

/** The parts of a quantity, before any arithmetic. */
interface Parts {
  sign: string;
  whole: string;
  fraction: string;
  form: QuantityForm;
  /** A power of ten, or of two. */
  exponent: number;
}

/** The lookaheads consume all digits at once: backtracking into them could not match and would take far too long. */
const pattern = /^([+-]?)0*(?!0)(\d*)(?!\d)(?:\.(\d*)(?!\d))?([eEinumkKMGTP]*[-+]?\d*)$/;
const most = 2n ** 63n - 1n;
/** Go works for minutes on larger exponents. */
const maxExponent = 4096;

const wrongFormat =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const wrongSuffix = "unable to parse quantity's suffix";
const wrongNumber = 'unable to parse numeric part of quantity';

/**
 * Decodes a quantity from a string or a number.
 *
 * @returns the canonical form that Go writes, or the original text where Go considers it canonical
 * @throws {DecodeError} when it is not a quantity
 */
export function decodeQuantity(value: unknown): string {
  if (typeof value === 'string') return decodeText(value.trim());
  if (isNumber(value)) return decodeText(literalOf(value));
  // Go reads the JSON text of anything else, which never has the form of an amount. It may be nested very deep.
  throw new DecodeError(wrongFormat);
}

function decodeText(text: string): string {
  if (/^[1-9]\d{0,2}(?:m|Mi|Gi)?$/.test(text) && !/(?:[08]|[246])(?:Mi|Gi)$/.test(text)) return text;
  const parts = partsOf(text);
  return (isShort(parts) && shortForm(parts, text)) || longForm(parts, text);
}

function partsOf(text: string): Parts {
  const [, sign, whole = '', fraction = '', suffix = ''] = pattern.exec(text) ?? [];
  if (sign === undefined || text === '') throw new DecodeError(wrongFormat);
  return { sign, whole: whole || '0', fraction, ...readSuffix(suffix) };
}

function readSuffix(suffix: string): { form: QuantityForm; exponent: number } {
  const decimal = decimalSuffixes.indexOf(suffix);
  if (decimal !== -1) return { form: 'decimal', exponent: (decimal - 3) * 3 };
  const binary = binarySuffixes.indexOf(suffix);
  if (binary !== -1) return { form: 'binary', exponent: binary * 10 };
  if (!/^[eE][-+]?\d{1,18}$/.test(suffix)) throw new DecodeError(wrongSuffix);
  // Go keeps 32 bits of it.
  return { form: 'exponent', exponent: Number(BigInt.asIntN(32, BigInt(suffix.slice(1).replace('+', '')))) };
}

/** Whether the digits fit in 64 bits, so Go computes with them. */
function isShort({ whole, fraction, form, exponent }: Parts): boolean {
  if (form !== 'binary') return 18 - (whole.length + fraction.length) >= 0;
  return fraction === '' && 15 - whole.length - Math.trunc((exponent * 3) / 10) - 1 >= 0;
}

/** @returns undefined when the value turns out to be too small or too large */
function shortForm({ sign, whole, fraction, form, exponent }: Parts, text: string): string | undefined {
  const digits = `${whole}${fraction}`;
  const power = (form === 'binary' ? 0 : exponent) - fraction.length;
  if (power < -9) return undefined;
  const value = BigInt(digits);
  if (form === 'binary') {
    if (value % 8n !== 0n) return text;
  } else if (power % 3 === 0 && !digits.endsWith('000') && !digits.startsWith('0')) return text;
  const magnitude = form === 'binary' ? value << BigInt(exponent) : value;
  return formatAmount(sign === '-' ? -magnitude : magnitude, power, form);
}

/** Go computes in billionths and rounds smaller amounts up to one. */
function longForm({ sign, whole, fraction, form, exponent }: Parts, text: string): string {
  if (!/^[^a-zA-Z]*\d/.test(text)) throw new DecodeError(wrongNumber);
  const digits = BigInt(`${whole}${fraction}`);
  const power = (form === 'binary' ? 0 : exponent) - fraction.length + 9;
  if (Math.abs(power) > maxExponent) throw new DecodeError(wrongSuffix);
  const nanos = shift(form === 'binary' ? digits << BigInt(exponent) : digits, power);
  const capped = form === 'binary' && nanos > most * 10n ** 9n ? most * 10n ** 9n : nanos;
  return formatAmount(sign === '-' ? -capped : capped, -9, form);
}

/** Shifts by a power of ten, and rounds up. */
function shift(digits: bigint, power: number): bigint {
  if (power >= 0) return digits * 10n ** BigInt(power);
  const divisor = 10n ** BigInt(-power);
  return (digits + divisor - 1n) / divisor;
}
