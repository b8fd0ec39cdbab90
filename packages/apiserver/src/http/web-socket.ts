import { createHash } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { HttpRequest } from './http-message.ts';

/** The suffix of the client's key in the handshake (RFC 6455, section 1.3). */
const suffix = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

/** Whether a client asks to upgrade to a WebSocket. */
export function asksForWebSocket({ method, headers }: HttpRequest): boolean {
  return method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket';
}

/**
 * Upgrades a connection to a WebSocket, or refuses it. Follows kube-apiserver, which requires an origin and
 * accepts any single subprotocol.
 *
 * @returns whether the connection is upgraded
 */
export function acceptWebSocket({ headers }: HttpRequest, socket: Socket): boolean {
  const key = headers['sec-websocket-key'] ?? '';
  const protocols = (headers['sec-websocket-protocol'] ?? '').trim();
  if (key === '') return refuse(socket, 400, 'mismatch challenge/response');
  if (headers['sec-websocket-version'] !== '13')
    return refuse(socket, 400, 'missing or bad WebSocket Version', 'Sec-WebSocket-Version: 13');
  if (!isOrigin(headers.origin)) return refuse(socket, 403);
  if (protocols.includes(',')) return refuse(socket, 400);
  const accept = createHash('sha1')
    .update(key.trim() + suffix)
    .digest('base64');
  const lines = [
    'HTTP/1.1 101 Switching Protocols',
    'Upgrade: websocket',
    'Connection: Upgrade',
    `Sec-WebSocket-Accept: ${accept}`,
    ...(protocols === '' ? [] : [`Sec-WebSocket-Protocol: ${protocols}`]),
  ];
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  return true;
}

function refuse(socket: Socket, code: number, text = '', ...headers: string[]): false {
  socket.end([`HTTP/1.1 ${code} ${STATUS_CODES[code]}`, ...headers, '', text].join('\r\n'));
  return false;
}

/** Browsers send the origin of their page; other clients must send something of the same form. */
function isOrigin(origin = ''): boolean {
  return URL.canParse(origin);
}
