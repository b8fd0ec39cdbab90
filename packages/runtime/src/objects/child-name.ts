import { createHash } from 'node:crypto';
import { isDnsLabel } from 'ots-apimachinery/names';
import type { KubernetesObject } from 'ots-kubernetes';
import { UsageError } from '../errors/usage-error.ts';
import type { DeepReadonly } from './deep-readonly.ts';

/** Without vowels, and without what looks alike: no hash spells a word. The alphabet of Kubernetes' own suffixes. */
const alphabet = 'bcdfghjklmnpqrstvwxz2456789';
const hashLength = 10;

/**
 * The name of an object that belongs to `owner`: `<owner>-<suffix>`, always the same for the same two, so that a
 * controller that forgot everything finds its objects again.
 *
 * The name is a DNS label (RFC 1123), and so also a valid label value. A hash of owner and suffix is appended where the
 * plain name would be too long, has characters that a label may not have (the owner's dots), or could be that of
 * another pair (the suffix has a dash: `a` + `b-c` is not `a-b` + `c`).
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
