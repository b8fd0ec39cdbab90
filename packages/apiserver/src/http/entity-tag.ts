import { createHash } from 'node:crypto';

/** The hash of a document, in kube-apiserver's format. */
export function hashOf(text: string): string {
  return createHash('sha512').update(text).digest('hex').toUpperCase();
}

/** {@link hashOf} as the value of an `ETag` header. */
export function entityTag(text: string): string {
  return `"${hashOf(text)}"`;
}
