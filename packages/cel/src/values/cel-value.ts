import type { Authorizer, Decision, GroupCheck, PathCheck, ResourceCheck } from './authorization.ts';
import type { Cidr } from './cidr.ts';
import type { CreatedObject } from './created-object.ts';
import type { Duration } from './duration.ts';
import type { CelEvaluationError } from './evaluation-error.ts';
import type { Ip } from './ip.ts';
import type { CelList } from './list.ts';
import type { CelMap } from './map.ts';
import type { NamedFormat } from './named-format.ts';
import type { Optional } from './optional.ts';
import type { PreservedValue } from './preserved-value.ts';
import type { Quantity } from './quantity.ts';
import type { Semver } from './semver.ts';
import type { Timestamp } from './timestamp.ts';
import type { TypeValue } from './type-value.ts';
import type { Uint } from './uint.ts';
import type { Url } from './url.ts';

/** A CEL value. An int is a bigint, a double a number; strings and bools are JavaScript's. All values are immutable. */
export type CelValue = null | boolean | bigint | number | string | Uint8Array | CelObject;

/** The values with classes; each has a `typeName` and can be compared with `equals`. */
type CelObject =
  | Uint
  | Timestamp
  | Duration
  | CelList
  | CelMap
  | Optional
  | TypeValue
  | Quantity
  | Url
  | Ip
  | Cidr
  | Semver
  | NamedFormat
  | CreatedObject
  | Authorizer
  | PathCheck
  | GroupCheck
  | ResourceCheck
  | Decision
  | PreservedValue;

/** The result of an evaluation step. Errors are values, because `&&`, `||` and macros may ignore them. */
export type CelResult = CelValue | CelEvaluationError;
