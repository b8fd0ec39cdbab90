import type { Authorizer, Decision, GroupCheck, PathCheck, ResourceCheck } from '../values/authorization.ts';
import type { CelResult, CelValue } from '../values/cel-value.ts';
import type { Cidr } from '../values/cidr.ts';
import type { Duration } from '../values/duration.ts';
import type { Ip } from '../values/ip.ts';
import type { CelList } from '../values/list.ts';
import type { CelMap } from '../values/map.ts';
import type { NamedFormat } from '../values/named-format.ts';
import type { Optional } from '../values/optional.ts';
import type { Quantity } from '../values/quantity.ts';
import type { Semver } from '../values/semver.ts';
import type { Timestamp } from '../values/timestamp.ts';
import { typeNameOf } from '../values/type-of.ts';
import type { TypeValue } from '../values/type-value.ts';
import type { Uint } from '../values/uint.ts';
import type { Url } from '../values/url.ts';

interface Parameters {
  any: CelValue;
  authorizer: Authorizer;
  bool: boolean;
  bytes: Uint8Array;
  cidr: Cidr;
  decision: Decision;
  double: number;
  duration: Duration;
  format: NamedFormat;
  groupCheck: GroupCheck;
  int: bigint;
  ip: Ip;
  list: CelList;
  map: CelMap;
  optional: Optional;
  pathCheck: PathCheck;
  quantity: Quantity;
  resourceCheck: ResourceCheck;
  semver: Semver;
  string: string;
  timestamp: Timestamp;
  type: TypeValue;
  uint: Uint;
  url: Url;
}

const typeNames: Partial<Record<keyof Parameters, string>> = {
  authorizer: 'kubernetes.authorization.Authorizer',
  cidr: 'net.CIDR',
  decision: 'kubernetes.authorization.Decision',
  duration: 'google.protobuf.Duration',
  format: 'kubernetes.NamedFormat',
  groupCheck: 'kubernetes.authorization.GroupCheck',
  ip: 'net.IP',
  optional: 'optional_type',
  pathCheck: 'kubernetes.authorization.PathCheck',
  quantity: 'kubernetes.Quantity',
  resourceCheck: 'kubernetes.authorization.ResourceCheck',
  semver: 'kubernetes.Semver',
  timestamp: 'google.protobuf.Timestamp',
  url: 'kubernetes.URL',
};

type Arguments<P extends readonly (keyof Parameters)[]> = { -readonly [K in keyof P]: Parameters[P[K]] };

/** The cost of a call, in the units of the API server's budget. */
export type CallCost = (args: readonly CelValue[], result: CelResult) => number;

/** One signature of a function; the target of a method is its first argument. */
export interface Overload {
  /** The names of the types, `any` for every value. */
  readonly parameters: readonly string[];
  readonly run: (...args: never[]) => CelResult;
  /** Default 1. */
  readonly cost: CallCost | undefined;
}

/** Functions and their overloads. */
export type FunctionTable = Readonly<Record<string, readonly Overload[]>>;

/**
 * Declares an overload.
 *
 * @param parameters the types of its arguments
 */
export function overload<const P extends readonly (keyof Parameters)[]>(
  parameters: P,
  run: (...args: Arguments<P>) => CelResult,
  cost?: CallCost,
): Overload {
  return {
    parameters: parameters.map((type) => typeNames[type] ?? type),
    run: run as unknown as Overload['run'],
    cost,
  };
}

/** The overload for some arguments; undefined when there is none. */
export function findOverload(
  overloads: readonly Overload[],
  args: readonly CelValue[],
): Overload | undefined {
  if (overloads.length === 1 && overloads[0]!.parameters.every((type) => type === 'any'))
    return overloads[0]!.parameters.length === args.length ? overloads[0] : undefined;
  const types = args.map(typeNameOf);
  return overloads.find(
    ({ parameters }) =>
      parameters.length === types.length &&
      parameters.every((type, i) => type === 'any' || type === types[i]),
  );
}
