import { createHash } from 'node:crypto';
import { isDnsLabel } from 'ots-apimachinery/names';
import type { KubernetesObject } from 'ots-kubernetes';
import { UsageError } from '../errors/usage-error.ts';
import type { DeepReadonly } from './deep-readonly.ts';

/** The alphabet of Kubernetes' own suffixes: without vowels, so no hash spells a word, and without look-alikes. */
const alphabet = 'bcdfghjklmnpqrstvwxz2456789';
const hashLength = 10;

/**
 * Returns the name of an object that belongs to `owner`: `<owner>-<suffix>`. It is always the same for the same two, so
 * a controller without any state finds its objects again.
 *
 * The name is a DNS label (RFC 1123), and so also a valid label value. It ends with a hash of owner and suffix if the
 * plain name would be too long, would have characters that a label cannot have (the owner's dots), or could also come
 * from another pair (the suffix has a dash: `a` + `b-c` is not `a-b` + `c`).
 * @param suffix lower-case letters, digits and dashes.
 * @param maxLength of the name, 63 by default. StatefulSets and CronJobs, which add to the name, need less (52).
 * @throws {UsageError} when the owner has no name, the suffix is not a label, or the limit leaves no room for it.
 */
export function childName(
  owner: DeepReadonly<Pick<KubernetesObject, 'metadata'>>,
  suffix: string,
  maxLength = 63,
): string {
  const ownerName = owner.metadata.name;
  if (!ownerName) throw new UsageError('The owner has no name', 'Pass the object as the server returned it.');
  if (!isDnsLabel(suffix, Infinity)) {
    throw new UsageError(
      `${JSON.stringify(suffix)} is not a suffix of a name`,
      'Use lower-case letters, digits and dashes, beginning and ending with a letter or digit.',
    );
  }
  const plain = `${ownerName}-${suffix}`;
  if (plain.length <= maxLength && isDnsLabel(ownerName, maxLength) && !suffix.includes('-')) return plain;
  const ending = `${suffix}-${hashOf(ownerName, suffix)}`;
  const room = maxLength - ending.length - 1;
  if (room < 1) {
    throw new UsageError(
      `A name of ${maxLength} characters has no room for the suffix ${suffix} and a hash`,
      'Use a shorter suffix.',
    );
  }
  const readable = ownerName
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, room)
    .replace(/^-+|-+$/g, '');
  return readable ? `${readable}-${ending}` : ending;
}

function hashOf(...parts: string[]): string {
  const digest = createHash('sha256').update(JSON.stringify(parts)).digest();
  return Array.from(digest.subarray(0, hashLength), (byte) => alphabet[byte % alphabet.length]).join('');
}
