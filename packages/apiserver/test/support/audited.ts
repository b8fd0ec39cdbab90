import { inOrder } from './in-order.ts';
import { masked } from './masked.ts';
import type { Server } from './on-each-server.ts';

/** What a server records about a request: who sent it, the status, and the audit annotations. */
export interface AuditedRequest {
  readonly user: string;
  readonly code: number;
  readonly annotations: Readonly<Record<string, string>>;
}

/**
 * What a server records about the requests that something sends, in the order in which it answers them.
 *
 * @param server records requests
 */
export async function audited(
  { environment: { requests } }: Server,
  act: () => Promise<unknown>,
): Promise<AuditedRequest[]> {
  await requests.clear();
  await act();
  const all = await requests.all();
  return all.filter(({ user }) => user !== 'system:apiserver').map(shown);
}

function shown({ user, code, annotations }: AuditedRequest): AuditedRequest {
  return { user, code, annotations: inOrder(masked(abbreviated(annotations))) };
}

/** Writes the same character many times as their number. */
function abbreviated<T>(value: T): T {
  const text = JSON.stringify(value);
  return JSON.parse(
    text.replaceAll(/([^"\\])\1{99,}/gu, (run, [char]) => `<${Array.from(run).length}×${char}>`),
  ) as T;
}
