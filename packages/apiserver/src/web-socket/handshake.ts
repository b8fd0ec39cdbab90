import { createHash } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { HttpRequest } from '../http/http-message.ts';

/** The suffix of the client's key in the handshake (RFC 6455, section 1.3). */
const suffix = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

/** Whether a client asks to upgrade to a WebSocket. */
export function asksForWebSocket({ method, headers }: HttpRequest): boolean {
  return method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket';
}

/** The answer to a handshake: the end of a request that is refused, or the beginning of a WebSocket. */
export interface Handshake {
  /** 101 for a WebSocket. */
  readonly code: number;
  /** The chosen subprotocol; empty for none. */
  readonly protocol: string;
  /** What the server sends. */
  readonly bytes: string;
}

/**
 * Answers the handshake of a client like kube-apiserver.
 *
 * @param choose the subprotocol among those that the client offers; a number refuses the client with this code
 */
export function answerHandshake(
  { method, headers }: HttpRequest,
  choose: (offered: readonly string[]) => string | number,
): Handshake {
  const key = headers['sec-websocket-key'] ?? '';
  const offered = (headers['sec-websocket-protocol'] ?? '').trim();
  if (method !== 'GET') return refusal(405, 'bad method');
  if (key === '') return refusal(400, 'mismatch challenge/response');
  if (headers['sec-websocket-version'] !== '13')
    return refusal(400, 'missing or bad WebSocket Version', 'Sec-WebSocket-Version: 13');
  const chosen = choose(offered === '' ? [] : offered.split(',').map((name) => name.trim()));
  if (typeof chosen === 'number') return refusal(chosen);
  const accept = createHash('sha1')
    .update(key.trim() + suffix)
    .digest('base64');
  const lines = [
    'HTTP/1.1 101 Switching Protocols',
    'Upgrade: websocket',
    'Connection: Upgrade',
    `Sec-WebSocket-Accept: ${accept}`,
    ...(chosen === '' ? [] : [`Sec-WebSocket-Protocol: ${chosen}`]),
  ];
  return { code: 101, protocol: chosen, bytes: `${lines.join('\r\n')}\r\n\r\n` };
}

/**
 * Upgrades a connection to a WebSocket, or refuses it. Follows kube-apiserver, which requires an origin and
 * accepts any single subprotocol.
 *
 * @returns whether the connection is upgraded
 */
export function acceptWebSocket(request: HttpRequest, socket: Socket): boolean {
  const { code, bytes } = answerHandshake(request, (offered) => {
    if (!isOrigin(request.headers.origin)) return 403;
    return offered.length > 1 ? 400 : (offered[0] ?? '');
  });
  if (code === 101) socket.write(bytes);
  else socket.end(bytes);
  return code === 101;
}

function refusal(code: number, text = '', ...headers: string[]): Handshake {
  return {
    code,
    protocol: '',
    bytes: [`HTTP/1.1 ${code} ${STATUS_CODES[code]}`, ...headers, '', text].join('\r\n'),
  };
}

/** Browsers send the origin of their page; other clients must send something of the same form. */
function isOrigin(origin = ''): boolean {
  return URL.canParse(origin);
}
