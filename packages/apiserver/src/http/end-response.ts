import type { HttpResponse } from './http-message.ts';

/** How long in milliseconds a client can receive an answer that came before the end of its body, as in Go. */
const lingerMs = 500;

/**
 * Sends the rest of an answer. Keeps the connection of a client that is still sending open for a moment: closing
 * it while bytes arrive would destroy the answer in transit.
 *
 * @param response a response whose head states the length of the body
 */
export function endResponse(response: HttpResponse, body: string | Buffer): void {
  const { req: incoming } = response;
  if (incoming.complete || incoming.content) {
    response.end(body);
    return;
  }
  response.write(body);
  const timer = setTimeout(() => response.end(), lingerMs);
  incoming.once('close', () => clearTimeout(timer));
  incoming.once('end', () => response.end()).resume();
}
