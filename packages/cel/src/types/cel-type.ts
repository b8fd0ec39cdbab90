/**
 * `error` marks an expression without a valid type. It matches everywhere, so each mistake is reported once.
 * `opaque` types have names (`optional_type`, `net.IP`); `struct` types have fields; `param` is a type variable.
 */
export type TypeKind =
  | 'dyn'
  | 'error'
  | 'null'
  | 'bool'
  | 'int'
  | 'uint'
  | 'double'
  | 'string'
  | 'bytes'
  | 'timestamp'
  | 'duration'
  | 'list'
  | 'map'
  | 'type'
  | 'opaque'
  | 'struct'
  | 'param';

export interface CelType {
  readonly kind: TypeKind;
  /** Distinguishes types of one kind (`struct`, `opaque` and `param`); for other kinds the name in rules. */
  readonly name: string;
  /** The element of a list; the key and value of a map; the type inside of an optional or a type. */
  readonly params: readonly CelType[];
  /** The fields of a struct. The opaque structs of Kubernetes (Quantity, …) have none. */
  readonly fields?: ReadonlyMap<string, CelType>;
}

function simple(kind: TypeKind, name: string = kind): CelType {
  return { kind, name, params: [] };
}

export const dynType = simple('dyn');
export const errorType = simple('error');
export const nullType = simple('null');
export const boolType = simple('bool');
export const intType = simple('int');
export const uintType = simple('uint');
export const doubleType = simple('double');
export const stringType = simple('string');
export const bytesType = simple('bytes');
export const timestampType = simple('timestamp');
export const durationType = simple('duration');

export function listOf(element: CelType): CelType {
  return { kind: 'list', name: 'list', params: [element] };
}

export function mapOf(key: CelType, value: CelType): CelType {
  return { kind: 'map', name: 'map', params: [key, value] };
}

/** The type of a type, as of `int` in `type(1) == int`. */
export function typeOf(type: CelType): CelType {
  return { kind: 'type', name: 'type', params: [type] };
}

export function optionalOf(value: CelType): CelType {
  return opaque('optional_type', value);
}

export function opaque(name: string, ...params: readonly CelType[]): CelType {
  return { kind: 'opaque', name, params };
}

export function struct(name: string, fields?: ReadonlyMap<string, CelType>): CelType {
  return { kind: 'struct', name, params: [], ...(fields && { fields }) };
}

export function param(name: string): CelType {
  return { kind: 'param', name, params: [] };
}

/** The type inside of an optional; undefined for other types. */
export function optionalValue(type: CelType): CelType | undefined {
  return type.kind === 'opaque' && type.name === 'optional_type' ? type.params[0] : undefined;
}
