import { createHash } from 'node:crypto';

/** A text for content, as OLM generates them for names. OLM has other hashes of the same kind: tests must not depend on them. */
export function hashOf(content: unknown): string {
  const digest = createHash('sha256').update(JSON.stringify(content)).digest('hex');
  return BigInt(`0x${digest}`).toString(36).slice(0, 40);
}
