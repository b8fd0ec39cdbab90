import { type QuantityForm, binarySuffixes, decimalSuffixes } from './parse-quantity.ts';

/**
 * Writes an amount in its shortest form.
 *
 * @param power of ten, by which the digits are to be multiplied
 * @param form what is not whole, or less than 1024, is never written as a binary one
 */
export function formatAmount(digits: bigint, power: number, form: QuantityForm): string {
  if (digits === 0n) return '0';
  if (form === 'binary') {
    const whole = wholeOf(digits, power);
    if (whole !== undefined && (whole >= 1024n || whole <= -1024n))
      return withSuffix(whole, 1024n, binarySuffixes);
  }
  let [value, exponent] = withoutFactor(digits, 10n);
  exponent += power;
  for (; exponent % 3 !== 0; exponent -= 1) value *= 10n;
  if (form === 'exponent') return `${value}${exponent === 0 ? '' : `e${exponent}`}`;
  // No suffix exists beyond `E`: Go omits it, which changes the amount.
  return `${value}${decimalSuffixes[exponent / 3 + 3] ?? ''}`;
}

/** @returns undefined for what is not whole */
function wholeOf(digits: bigint, power: number): bigint | undefined {
  if (power >= 0) return digits * 10n ** BigInt(power);
  const divisor = 10n ** BigInt(-power);
  return digits % divisor === 0n ? digits / divisor : undefined;
}

function withSuffix(digits: bigint, factor: bigint, suffixes: readonly string[]): string {
  const [value, times] = withoutFactor(digits, factor);
  return `${value}${suffixes[times] ?? ''}`;
}

function withoutFactor(digits: bigint, factor: bigint): [rest: bigint, times: number] {
  let rest = digits;
  let times = 0;
  for (; rest % factor === 0n; rest /= factor) times += 1;
  return [rest, times];
}
