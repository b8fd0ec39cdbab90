import type { ServerResponse } from 'node:http';

/** Milliseconds in which a client can take an answer that came before the end of its body: what Go gives it. */
const lingering = 500;

/**
 * Sends the rest of an answer. The connection of a client that is still sending stays open for a moment: to close it while
 * bytes arrive would destroy the answer on its way.
 *
 * @param response whose head says the length of the body
 */
export function endResponse(response: ServerResponse, body: string | Buffer): void {
  const { req: incoming } = response;
  if (incoming.complete) {
    response.end(body);
    return;
  }
  response.write(body);
  const timer = setTimeout(() => response.end(), lingering);
  incoming.once('close', () => clearTimeout(timer));
  incoming.once('end', () => response.end()).resume();
}
