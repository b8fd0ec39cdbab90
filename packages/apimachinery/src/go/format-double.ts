/** A double as Go's `%g` writes it: the shortest digits that read back, with an exponent for numbers from 1e+06 and below 1e-04. */
export function formatDouble(value: number): string {
  if (!Number.isFinite(value)) return special(value);
  const { sign, digits, exponent } = decompose(value);
  if (exponent < -4 || exponent >= 6) return sign + scientific(digits, exponent);
  return sign + plain(digits, exponent);
}

/** A double with the shortest digits that read back and without an exponent, as Go's `%f` with the precision -1. */
export function formatPlainDouble(value: number): string {
  if (!Number.isFinite(value)) return special(value);
  const { sign, digits, exponent } = decompose(value);
  return sign + plain(digits, exponent);
}

function special(value: number): string {
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
}

function decompose(value: number): { sign: string; digits: string; exponent: number } {
  const [mantissa = '', exponent = ''] = Math.abs(value).toExponential().split('e');
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  return { sign, digits: mantissa.replace('.', ''), exponent: Number(exponent) };
}

function scientific(digits: string, exponent: number): string {
  const mantissa = digits.length > 1 ? `${digits[0]}.${digits.slice(1)}` : digits;
  const power = String(Math.abs(exponent)).padStart(2, '0');
  return `${mantissa}e${exponent < 0 ? '-' : '+'}${power}`;
}

function plain(digits: string, exponent: number): string {
  if (exponent < 0) return `0.${'0'.repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0');
  const fraction = digits.slice(exponent + 1);
  return fraction === '' ? whole : `${whole}.${fraction}`;
}
