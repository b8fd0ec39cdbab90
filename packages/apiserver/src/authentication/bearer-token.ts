import { isUtf8 } from 'node:buffer';
import type { HttpRequest } from '../http/http-message.ts';
import { CredentialError } from './credential-error.ts';

/** The token in the Authorization header (RFC 6750, 2.1). Undefined for none. */
export function bearerToken({ headers: { authorization = '' } }: HttpRequest): string | undefined {
  const [scheme = '', token = ''] = authorization.trim().split(' ', 2);
  return token !== '' && scheme.toLowerCase() === 'bearer' ? token : undefined;
}

const protocolPrefix = 'base64url.bearer.authorization.k8s.io.';

/**
 * The token among the subprotocols of a WebSocket, where browsers cannot send an Authorization header. Undefined for none.
 *
 * @throws {CredentialError} for a token that is not base64url, for several tokens, and without another subprotocol
 */
export function webSocketToken({ headers }: HttpRequest): string | undefined {
  if (headers.upgrade?.toLowerCase() !== 'websocket') return undefined;
  const { tokens, others } = readProtocols(headers['sec-websocket-protocol']);
  const [token] = tokens;
  if (token === undefined) return undefined;
  if (tokens.length > 1) throw new CredentialError('several tokens');
  const bytes = Buffer.from(token, 'base64url');
  if (bytes.toString('base64url') !== token || !isUtf8(bytes))
    throw new CredentialError('the token is not base64url');
  if (token !== '' && others.length === 0) throw new CredentialError('no other subprotocol');
  return token === '' ? undefined : bytes.toString('utf8');
}

/** Removes the token from the subprotocols: the server echoes one of the others. */
export function removeWebSocketToken({ headers }: HttpRequest): void {
  headers['sec-websocket-protocol'] = readProtocols(headers['sec-websocket-protocol']).others.join(',');
}

function readProtocols(header = ''): { tokens: string[]; others: string[] } {
  const protocols = header.split(',').map((protocol) => protocol.trim());
  return {
    tokens: protocols
      .filter((protocol) => protocol.startsWith(protocolPrefix))
      .map((protocol) => protocol.slice(protocolPrefix.length)),
    others: protocols.filter((protocol) => !protocol.startsWith(protocolPrefix)),
  };
}
