/** How a quantity is written: `1500m`, `2Gi`, `12e6`. */
export type QuantityForm = 'decimal' | 'binary' | 'exponent';

/** What a quantity such as `1.5Gi` amounts to: `value` times ten to the power of `scale`. */
export interface ParsedQuantity {
  readonly value: bigint;
  /** At least -9: smaller parts are rounded away from zero. */
  readonly scale: number;
  /** Whether Go computes with it in 64 bits. Otherwise `scale` is -9, unless the number is too large to be written out. */
  readonly isSmall: boolean;
  readonly form: QuantityForm;
  /** The digits before the suffix, without zeros in front of a whole number. */
  readonly digits: string;
}

/** The suffix of every third power of ten, beginning with the ninth below zero. */
export const decimalSuffixes: readonly string[] = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'];
/** The suffix of every power of 1024. */
export const binarySuffixes: readonly string[] = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];

export const malformedQuantity =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
export const wrongQuantitySuffix = "unable to parse quantity's suffix";
const wrongNumber = 'unable to parse numeric part of quantity';

/** The lookaheads consume all digits at once: backtracking into them could not match and would take far too long. */
const pattern = /^([-+]?)0*(?!0)(\d*)(?!\d)(?:\.(\d*)(?!\d))?([eEinumkKMGTP]*[-+]?\d*)$/;
const maxInt = 2n ** 63n - 1n;
/** This many digits always fit into 64 bits. */
const safeDigits = 18;
/** Smaller parts are rounded up. */
const nanoExponent = -9;
/** Larger powers of ten are not written out, which would take too long. */
const maxShift = 4096;

/**
 * Parses a quantity with the rounding and the limits of Go (resource.ParseQuantity of k8s.io/apimachinery).
 *
 * @returns the amount, or what is wrong with the text in Go's words
 */
export function parseQuantity(text: string): ParsedQuantity | string {
  const match = pattern.exec(text);
  if (!match || text === '') return malformedQuantity;
  const [, sign = '', whole = '', fraction = '', suffixText = ''] = match;
  const suffix = parseSuffix(suffixText);
  if (!suffix) return wrongQuantitySuffix;
  const digits = `${whole || '0'}${fraction}`;
  const number = { digits, decimals: fraction.length };
  const hasDigits = /\d/.test(text.slice(0, text.length - suffixText.length));
  const amount = smallAmount(number, suffix) ?? (hasDigits ? largeAmount(number, suffix) : undefined);
  if (!amount) return wrongNumber;
  const value = sign === '-' ? -amount.value : amount.value;
  return { ...amount, value, form: suffix.form, digits };
}

interface Suffix {
  readonly form: QuantityForm;
  /** A power of two for a binary suffix, otherwise of ten. */
  readonly exponent: number;
}

function parseSuffix(text: string): Suffix | undefined {
  const decimal = decimalSuffixes.indexOf(text);
  if (decimal !== -1) return { form: 'decimal', exponent: (decimal - 3) * 3 };
  const binary = binarySuffixes.indexOf(text);
  if (binary !== -1) return { form: 'binary', exponent: binary * 10 };
  const [, digits] = /^[eE]([-+]?\d+)$/.exec(text) ?? [];
  if (digits === undefined || digits.length > 20) return undefined;
  const exponent = BigInt(digits.replace('+', ''));
  if (exponent < -maxInt - 1n || exponent > maxInt) return undefined;
  // Go keeps 32 bits of it.
  return { form: 'exponent', exponent: Number(BigInt.asIntN(32, exponent)) };
}

interface Digits {
  readonly digits: string;
  /** How many of the digits follow the point. */
  readonly decimals: number;
}

type Magnitude = Pick<ParsedQuantity, 'value' | 'scale' | 'isSmall'>;

/** @returns undefined when the amount may not fit into 64 bits */
function smallAmount({ digits, decimals }: Digits, { form, exponent }: Suffix): Magnitude | undefined {
  if (form !== 'binary') {
    const scale = exponent - decimals;
    if (digits.length > safeDigits || scale < nanoExponent) return undefined;
    return { value: BigInt(digits), scale, isSmall: true };
  }
  const room = 15 - digits.length - Math.trunc((exponent * 3) / 10) - 1;
  if (decimals > 0 || room < 0) return undefined;
  return { value: BigInt(digits) << BigInt(exponent), scale: 0, isSmall: true };
}

function largeAmount({ digits, decimals }: Digits, { form, exponent }: Suffix): Magnitude {
  const isBinary = form === 'binary';
  const value = isBinary ? BigInt(digits) << BigInt(exponent) : BigInt(digits);
  const scale = (isBinary ? 0 : exponent) - decimals;
  if (value === 0n || scale - nanoExponent > maxShift) return { value, scale, isSmall: false };
  const nanos = scaleUp(value, scale - nanoExponent);
  if (isBinary && nanos > maxInt * 10n ** 9n) return { value: maxInt, scale: 0, isSmall: false };
  return { value: nanos, scale: nanoExponent, isSmall: false };
}

/** Multiplies a positive number by a power of ten, rounding up. */
function scaleUp(value: bigint, power: number): bigint {
  if (power >= 0) return value * 10n ** BigInt(power);
  if (-power > String(value).length) return 1n;
  const divisor = 10n ** BigInt(-power);
  return (value + divisor - 1n) / divisor;
}
