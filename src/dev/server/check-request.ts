import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { HttpError } from './http-reply.ts';

/**
 * Refuses requests that another web page made: by a name that resolves to this machine (DNS rebinding), or across origins.
 *
 * @throws {HttpError} 403
 */
export function checkSender({ headers, socket }: IncomingMessage): void {
  const hosts = ['127.0.0.1', 'localhost', '[::1]'].map((name) => `${name}:${socket.localPort}`);
  const { host = '', origin } = headers;
  if (!hosts.includes(host.toLowerCase())) {
    throw new HttpError(403, `Host is not ${hosts.join(', ')}`, 'Use the URL that ots dev prints.');
  }
  if (origin !== undefined && origin !== `http://${host}`) {
    throw new HttpError(403, 'Origin is another page', 'Send the request from the page, or without Origin.');
  }
}

/**
 * @returns the path below the token; undefined if the path does not start with the token. Takes the same time for each wrong token.
 */
export function pathBelow(token: string, url: string): string | undefined {
  const [first = '', ...rest] = (url.split('?', 1)[0] ?? '').slice(1).split('/');
  const [given, expected] = [Buffer.from(first), Buffer.from(token)];
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
  return rest.length === 0 ? undefined : rest.join('/');
}
