/** A double with a fixed number of decimals, rounded as in Go: from its exact value, half to even. */
export function formatFixed(value: number, precision: number): string {
  if (!Number.isFinite(value)) return special(value);
  const { numerator, denominator } = exactly(Math.abs(value));
  const digits = roundedQuotient(numerator * 10n ** BigInt(precision), denominator)
    .toString()
    .padStart(precision + 1, '0');
  const whole = digits.slice(0, digits.length - precision);
  const grouped = whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
  const fraction = precision === 0 ? '' : `.${digits.slice(-precision)}`;
  return (value < 0 || Object.is(value, -0) ? '-' : '') + grouped + fraction;
}

/**
 * A double with an exponent. The API server treats the precision as the width: there are always six decimals.
 *
 * @param width the width to pad the text to with spaces
 */
export function formatScientific(value: number, width: number): string {
  if (!Number.isFinite(value)) return special(value).padStart(width);
  const [mantissa = '', exponent = ''] = value.toExponential(6).split('e');
  const power = String(Math.abs(Number(exponent))).padStart(2, '0');
  return `${mantissa}×10${superscript(`${exponent.startsWith('-') ? '-' : ''}${power}`)}`.padStart(width);
}

function superscript(text: string): string {
  return Array.from(text, (character) => superscripts[character]!).join('');
}

const superscripts: Readonly<Record<string, string>> = {
  '-': '⁻',
  0: '⁰',
  1: '¹',
  2: '²',
  3: '³',
  4: '⁴',
  5: '⁵',
  6: '⁶',
  7: '⁷',
  8: '⁸',
  9: '⁹',
};

function special(value: number): string {
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '∞' : '-∞';
}

/** A finite double as a fraction. */
function exactly(value: number): { numerator: bigint; denominator: bigint } {
  let [scaled, shift] = [value, 0n];
  while (!Number.isInteger(scaled)) {
    scaled *= 2;
    shift++;
  }
  return { numerator: BigInt(scaled), denominator: 1n << shift };
}

function roundedQuotient(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator;
  const twice = (numerator % denominator) * 2n;
  const up = twice > denominator || (twice === denominator && quotient % 2n === 1n);
  return up ? quotient + 1n : quotient;
}
