import { fnv64 } from 'ots-apimachinery/fnv64';
import type { ApiObject } from '../json/api-object.ts';
import { StatusError } from '../status/status-error.ts';

/** Selects the objects of a list or a watch by ranges of hashes (KEP-5866). */
export interface ShardSelector {
  matches(object: ApiObject): boolean;
  /** As the server repeats it in the metadata of lists. */
  readonly text: string;
}

/** From `start` on, and before `end`. */
interface Range {
  field: string;
  start: bigint;
  end: bigint;
  text: string;
}

const fields: Record<string, (object: ApiObject) => string> = {
  'object.metadata.uid': ({ metadata }) => metadata.uid ?? '',
  'object.metadata.namespace': ({ metadata }) => metadata.namespace ?? '',
};
const call = /^\s*shardRange\(\s*([\w.]+)\s*,\s*(['"])([^'"]*)\2\s*,\s*(['"])([^'"]*)\4\s*\)\s*$/;
/** The end of the last range. */
const endOfAll = '0x10000000000000000';

/**
 * Parses `shardRange(object.metadata.uid, '0x…', '0x…') || …`. A real server parses it as an expression; what is not of
 * this form gets the message for a name.
 * @returns undefined if there is no selector.
 * @throws {StatusError} 500, as kube-apiserver responds.
 */
export function parseShardSelector(text: string): ShardSelector | undefined {
  if (text === '') return undefined;
  const ranges = text.split('||').map(parseRange);
  const [{ field }] = ranges as [Range];
  const other = ranges.find((range) => range.field !== field);
  if (other) throw invalid(`all shard ranges must use the same field, got "${field}" and "${other.field}"`);
  return {
    text: ranges.map((range) => range.text).join(' || '),
    matches: (object) => {
      const { high, low } = fnv64(fields[field]!(object));
      const hash = (BigInt(high) << 32n) | BigInt(low);
      return ranges.some(({ start, end }) => hash >= start && hash < end);
    },
  };
}

function parseRange(text: string): Range {
  const [, field = '', , start = '', , end = ''] = call.exec(text) ?? [];
  if (!Object.hasOwn(fields, field))
    throw invalid('unexpected expression kind 3; expected shardRange() call or || operator');
  checkDigits('hexStart', start);
  if (end !== endOfAll) checkDigits('hexEnd', end);
  if (BigInt(start) >= BigInt(end)) throw invalid(`shard range start ${start} must be less than end ${end}`);
  return {
    field,
    start: BigInt(start),
    end: BigInt(end),
    text: `shardRange(${field}, '${start}', '${end}')`,
  };
}

function checkDigits(name: string, value: string): void {
  if (/^0x[0-9a-f]{16}$/.test(value)) return;
  const digits = /^0x([0-9a-f]{1,15})$/.exec(value)?.[1];
  const meant = digits === undefined ? '' : ` (did you mean "0x${digits.padStart(16, '0')}"?)`;
  throw invalid(`${name} must be a 0x-prefixed 16-digit hex value, got "${value}"${meant}`);
}

function invalid(message: string): StatusError {
  return new StatusError(500, undefined, `invalid shard selector: ${message}`);
}
