/**
 * True if the version can be compared with others: a decimal number without leading zeros, of any length (KEP-5504).
 * All versions of kube-apiserver can; those of other servers may be any text.
 */
export function isComparable(version: string | undefined): version is string {
  return version !== undefined && /^[1-9][0-9]*$/.test(version);
}

/** True if `version` is equal to or later than `other`. Both must be comparable. */
export function isAtLeast(version: string, other: string): boolean {
  return version.length === other.length ? version >= other : version.length > other.length;
}

/** True if both versions can be compared and `version` is earlier than `other`. */
export function isOlder(version: string, other: string): boolean {
  return isComparable(version) && isComparable(other) && !isAtLeast(version, other);
}
