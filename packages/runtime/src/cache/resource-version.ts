/**
 * True when the version can be compared with others: a decimal number without leading zeros, of any length (KEP-5504).
 * All versions of kube-apiserver are; those of other servers may be any text.
 */
export function isComparable(version: string | undefined): version is string {
  return version !== undefined && /^[1-9][0-9]*$/.test(version);
}

/** True when `version` is that of `other` or a later one. Both must be comparable. */
export function isAtLeast(version: string, other: string): boolean {
  return version.length === other.length ? version >= other : version.length > other.length;
}

/** True when both versions can be compared, and `version` comes before `other`. */
export function isOlder(version: string, other: string): boolean {
  return isComparable(version) && isComparable(other) && !isAtLeast(version, other);
}
