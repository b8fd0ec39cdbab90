import { refusal } from '../../support/normalize.ts';
import type { Answer } from '../../support/session.ts';

/** A list without its resource version: its names, and where the next page starts; or the refusal. */
export function listOutcome(answer: Answer): unknown {
  if (answer.code !== 200) return refusal(answer);
  const { items, metadata } = answer.body;
  const names = items.map((item: any) => item.metadata.name);
  if (!metadata.continue) return { names, ...remaining(metadata) };
  const { start } = JSON.parse(Buffer.from(metadata.continue, 'base64url').toString());
  // A real server adds a leading slash or not, depending on where its answer comes from. It accepts both.
  return { names, start: start.replace(/^\//, ''), ...remaining(metadata) };
}

function remaining({ remainingItemCount }: { remainingItemCount?: number }): object {
  return remainingItemCount === undefined ? {} : { remainingItemCount };
}

/** A continue token with the given content. */
export function tokenOf(content: unknown): string {
  return Buffer.from(typeof content === 'string' ? content : JSON.stringify(content)).toString('base64url');
}
