/** A 32-bit integer. JSON carries it as a number; manifests give it `format: int32`. */
export type int32 = number;

/** A 64-bit integer. JSON carries it as a number, exact up to 2^53; manifests give it `format: int64`. */
export type int64 = number;

/** A single-precision number (`format: float`). */
export type float = number;

/** A double-precision number (`format: double`). */
export type double = number;

/** A number or a string, such as a port (`80`, `'http'`) or a percentage (`1`, `'25%'`). */
export type IntOrString = number | string;

/** A fixed-point number with a suffix, such as `'500m'`, `'1Gi'` or `2`. Servers return it as a string. */
export type Quantity = string | number;

/** A time as RFC 3339 text in whole seconds, such as `'2026-01-31T12:00:00Z'`. */
export type Time = string;

/** A time as RFC 3339 text with microseconds, such as `'2026-01-31T12:00:00.000000Z'`. */
export type MicroTime = string;

/** A duration as Go writes it, such as `'1h30m'`, `'15s'` or `'250ms'`. */
export type Duration = string;
