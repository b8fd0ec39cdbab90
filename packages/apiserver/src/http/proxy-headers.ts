import path from 'node:path';
import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import type { HttpRequest } from './http-message.ts';

type Headers = Record<string, string | string[]>;

/** They are about one connection, not about the message (https://www.rfc-editor.org/rfc/rfc9110#section-7.6.1). */
const ofConnection = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/**
 * The headers of a request that go on to the target: not those with which the client logs in at the server.
 *
 * @param uri the path by which the client has addressed the target
 */
export function forwardedHeaders({ headers, socket }: HttpRequest, uri: string): Headers {
  const kept = withoutConnection(headers).filter(
    ([name]) => name !== 'authorization' && name !== 'expect' && !name.startsWith('impersonate-'),
  );
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a client of this process has no socket
  const client = (socket as Socket | undefined)?.remoteAddress ?? '127.0.0.1';
  const before = headers['x-forwarded-for'];
  return {
    ...Object.fromEntries(kept),
    'x-forwarded-for': before === undefined ? client : `${String(before)}, ${client}`,
    'x-forwarded-uri': encodeURI(uri),
  };
}

/**
 * The headers of a response that go back to the client: those for browsers of other origins are about the target, and a redirect stays
 * behind the proxy.
 *
 * @param prefix the path of the proxy
 */
export function returnedHeaders(headers: IncomingHttpHeaders, prefix: string): Headers {
  const kept = withoutConnection(headers)
    .filter(([name]) => !name.startsWith('access-control-'))
    .map(([name, value]) => [name, name === 'location' ? behind(prefix, String(value)) : value] as const);
  return { 'cache-control': 'no-cache, private', ...Object.fromEntries(kept) };
}

function withoutConnection(headers: IncomingHttpHeaders): [name: string, value: string | string[]][] {
  const named = (headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase());
  return Object.entries(headers).flatMap(([name, value]) =>
    value === undefined || ofConnection.has(name) || named.includes(name) ? [] : [[name, value]],
  );
}

function behind(prefix: string, location: string): string {
  if (!location.startsWith('/') || location.startsWith('//') || location.startsWith(prefix)) return location;
  return path.posix.join(prefix, location);
}
