import type { CelResult } from '../src/values/cel-value.ts';
import { Cidr } from '../src/values/cidr.ts';
import { Duration } from '../src/values/duration.ts';
import { isError } from '../src/values/evaluation-error.ts';
import { Ip } from '../src/values/ip.ts';
import { CelList } from '../src/values/list.ts';
import { CelMap, entriesOf } from '../src/values/map.ts';
import { NamedFormat } from '../src/values/named-format.ts';
import { Optional } from '../src/values/optional.ts';
import { Quantity } from '../src/values/quantity.ts';
import { Semver } from '../src/values/semver.ts';
import { Timestamp } from '../src/values/timestamp.ts';
import { TypeValue } from '../src/values/type-value.ts';
import { Uint } from '../src/values/uint.ts';
import { Url } from '../src/values/url.ts';

/** A value as JSON that says its type; scripts/evaluation-facts.go writes the same. */
export function plainValue(value: CelResult): unknown {
  if (isError(value)) return { error: value.message };
  if (typeof value === 'bigint') return { int: String(value) };
  if (typeof value === 'number') return { double: plainDouble(value) };
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Uint8Array) return { bytes: [...value] };
  if (value instanceof CelList) return Array.from(value, plainValue);
  if (value instanceof CelMap) {
    const entries = Array.from(
      entriesOf(value),
      ([key, item]) => [plainValue(key), plainValue(item)] as const,
    );
    return { map: entries.toSorted(([a], [b]) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)) };
  }
  if (value instanceof Uint) return { uint: String(value.value) };
  if (value instanceof Timestamp) return { timestamp: new Timestamp(value.nanoseconds).toString() };
  if (value instanceof Duration) return { duration: String(value.nanoseconds) };
  if (value instanceof Optional) return { optional: value.hasValue ? [plainValue(value.value)] : [] };
  if (value instanceof Quantity) return { quantity: plainDecimal(value) };
  if (value instanceof Ip) return { ip: value.toString() };
  if (value instanceof Cidr) return { cidr: value.toString() };
  if (value instanceof Url) return { url: value.toString() };
  if (value instanceof Semver) return { semver: value.numbers.join('.') };
  if (value instanceof NamedFormat) return { format: value.name };
  return value instanceof TypeValue ? { type: value.name } : { other: value.typeName };
}

function plainDouble(value: number): string {
  if (Object.is(value, -0)) return '-0';
  if (!Number.isFinite(value)) return String(value);
  const [mantissa, exponent = ''] = value.toExponential().split('e');
  return `${mantissa}e${exponent[0]}${exponent.slice(1).padStart(2, '0')}`;
}

/** As Go's inf.Dec writes it: with as many decimals as it has. */
function plainDecimal({ value, scale }: Quantity): string {
  if (scale >= 0) return String(value * 10n ** BigInt(scale));
  const digits = String(value < 0n ? -value : value).padStart(1 - scale, '0');
  return `${value < 0n ? '-' : ''}${digits.slice(0, scale)}.${digits.slice(scale)}`;
}
