import type { CelValue } from './cel-value.ts';

/** The name of a value's type, as in `string(type(x))`. */
export function typeNameOf(value: CelValue): string {
  switch (typeof value) {
    case 'bigint':
      return 'int';
    case 'number':
      return 'double';
    case 'boolean':
      return 'bool';
    case 'string':
      return 'string';
    default:
      if (value === null) return 'null_type';
      return value instanceof Uint8Array ? 'bytes' : value.typeName;
  }
}

/** The types that an expression can name. */
export const typeNames: ReadonlySet<string> = new Set([
  ...'bool bytes double int uint string list map null_type type optional_type'.split(' '),
  ...'google.protobuf.Duration google.protobuf.Timestamp net.IP net.CIDR'.split(' '),
]);
