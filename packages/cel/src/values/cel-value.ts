import type { Cidr } from './cidr.ts';
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

/**
 * A value of CEL. An int is a bigint, a double a number; strings and bools are those of JavaScript. Everything else is immutable, too.
 */
export type CelValue = null | boolean | bigint | number | string | Uint8Array | CelObject;

/** The values that have classes; each has a `typeName` and can be compared with `equals`. */
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
  | PreservedValue;

/** What a step of an evaluation gives: errors are values, because `&&`, `||` and macros may never look at them. */
export type CelResult = CelValue | CelEvaluationError;
