const decimalPattern = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?$/;
const hexadecimalPattern = /^([-+]?)0[xX]([\dA-Fa-f]*)(?:\.([\dA-Fa-f]*))?[pP]([-+]?\d+)$/;
const specialPattern = /^([-+]?)(?:(inf|infinity)|nan)$/i;

/** Parses a double as Go does, including hexadecimal ones; undefined when it is invalid or too large. */
export function parseDouble(text: string): number | undefined {
  if (text.includes('_')) return parseSeparated(text);
  const special = specialPattern.exec(text);
  if (special) {
    if (special[2] === undefined) return special[1] === '' ? Number.NaN : undefined;
    return special[1] === '-' ? -Infinity : Infinity;
  }
  const hexadecimal = hexadecimalPattern.exec(text);
  const value = hexadecimal
    ? parseHexadecimal(hexadecimal)
    : decimalPattern.test(text)
      ? Number(text)
      : Number.NaN;
  return Number.isFinite(value) ? value : undefined;
}

/** Underscores may separate digits. */
function parseSeparated(text: string): number | undefined {
  const plain = text.replaceAll(/(?<=[\dA-Fa-fxX])_(?=[\dA-Fa-f])/g, '');
  return plain.includes('_') ? undefined : parseDouble(plain);
}

function parseHexadecimal([, sign, whole = '', fraction = '', power]: RegExpExecArray): number {
  const digits = whole + fraction;
  if (digits === '' || digits.length > 1000) return Number.NaN;
  const exponent = Number(power) - 4 * fraction.length;
  return (sign === '-' ? -1 : 1) * scale(BigInt(`0x${digits}`), exponent);
}

/** A number times a power of two, rounded once. */
function scale(value: bigint, exponent: number): number {
  if (value === 0n) return 0;
  if (Math.abs(exponent) > 10_000) return exponent > 0 ? Infinity : 0;
  if (exponent >= 0) return Number(value << BigInt(exponent));
  const bits = value.toString(2).length;
  const lost = Math.max(0, -exponent - 1074, bits - 53);
  if (lost === 0) return Number(value) * 2 ** exponent;
  const half = 1n << BigInt(lost - 1);
  const rest = value & ((half << 1n) - 1n);
  const kept = value >> BigInt(lost);
  const up = rest > half || (rest === half && kept % 2n === 1n);
  const result = Number(up ? kept + 1n : kept);
  const power = exponent + lost;
  return result * 2 ** Math.max(power, -1074);
}
