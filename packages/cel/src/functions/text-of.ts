import { formatDouble } from 'ots-apimachinery/go/format-double';
import type { CelResult, CelValue } from '../values/cel-value.ts';
import { Cidr } from '../values/cidr.ts';
import { Duration } from '../values/duration.ts';
import { CelEvaluationError } from '../values/evaluation-error.ts';
import { Ip } from '../values/ip.ts';
import { Timestamp } from '../values/timestamp.ts';
import { TypeValue } from '../values/type-value.ts';
import { Uint } from '../values/uint.ts';

/** `string(value)`; undefined for a value that cannot be converted. */
export function textOf(value: CelValue): string | CelEvaluationError | undefined {
  if (typeof value === 'number') return formatDouble(value);
  if (typeof value === 'string') return value;
  if (typeof value === 'bigint' || typeof value === 'boolean') return String(value);
  if (value instanceof Uint8Array) return decode(value) as string | CelEvaluationError;
  if (value instanceof Uint) return String(value.value);
  if (value instanceof TypeValue) return value.name;
  const shown =
    value instanceof Timestamp || value instanceof Duration || value instanceof Ip || value instanceof Cidr;
  return shown ? value.toString() : undefined;
}

function decode(bytes: Uint8Array): CelResult {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return new CelEvaluationError('invalid UTF-8 in bytes, cannot convert to string');
  }
}
