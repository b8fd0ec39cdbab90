import { sorted } from './apply-session.ts';
import type { Answer } from './session.ts';

/** An answer without what differs from run to run. */
export function outcomeOf({ code, body }: Answer): unknown {
  if (body.kind === 'Status') {
    const { message, reason, details } = body;
    const { uid: _, ...named } = details ?? {};
    return { code, reason, message: message && masked(message), ...(details && { details: named }) };
  }
  const {
    creationTimestamp: _c,
    uid: _u,
    resourceVersion: _r,
    managedFields: _m,
    ...metadata
  } = body.metadata;
  return { code, object: sorted({ ...body, metadata }) };
}

function masked(message: string): string {
  return message
    .replaceAll(/127\.0\.0\.1:\d+/g, '<address>')
    .replaceAll(/"[0-9a-f]{8}-[-0-9a-f]{27}"/g, '"<uid>"')
    .replaceAll(/[0-9a-f]{8}-[-0-9a-f]{27}/g, '<uid>')
    .replace(/(?<=is missing in ')\{.+\}(?=')/, '{…}');
}
