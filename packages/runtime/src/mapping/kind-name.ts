import type { Kind } from 'ots-kubernetes';

/** The name of a kind in messages: `JobWatcher (batch.example.com/v1)`. */
export function kindName({ kind, apiVersion }: Pick<Kind, 'kind' | 'apiVersion'>): string {
  return `${kind} (${apiVersion})`;
}
