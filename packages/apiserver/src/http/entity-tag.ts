import { createHash } from 'node:crypto';

/** A hash of a document as a kube-apiserver writes it. */
export function hashOf(text: string): string {
  return createHash('sha512').update(text).digest('hex').toUpperCase();
}

/** {@link hashOf} as the value of an `ETag` header. */
export function entityTag(text: string): string {
  return `"${hashOf(text)}"`;
}
