import type { Socket } from 'node:net';
import { badRequest } from '../status/errors.ts';
import { answerHandshake } from '../web-socket/handshake.ts';
import { maxStallMs } from '../web-socket/message-socket.ts';
import type { ApiRequest } from './api-request.ts';
import { type Reply, type StreamingReply, text } from './reply.ts';

/** After how many milliseconds without a byte a connection ends, as in the kubelet. */
const idleMs = 4 * 60 * 60 * 1000;

/**
 * Upgrades a connection to a WebSocket.
 *
 * @param known the subprotocols of which the client must offer one; an empty one stands for none
 * @param begin receives the connection and its subprotocol
 */
export function upgradeToWebSocket(
  request: ApiRequest,
  known: readonly string[],
  begin: (socket: Socket, protocol: string) => void,
): StreamingReply {
  const { code, protocol, bytes } = answerHandshake(request.incoming, firstOf(known));
  return upgradeReply(code, (socket) => {
    if (code !== 101) return endSocket(socket, bytes);
    socket.write(bytes);
    begin(socket, protocol);
  });
}

/** Chooses the first subprotocol of a client that the server knows. */
function firstOf(known: readonly string[]): (offered: readonly string[]) => string | number {
  return (offered) => (offered.length === 0 ? [''] : offered).find((name) => known.includes(name)) ?? 403;
}

/** The versions of a protocol are negotiated in a header of Kubernetes. */
const versionHeader = 'x-stream-protocol-version';

/**
 * Upgrades a connection to SPDY.
 *
 * @param known the versions of the protocol over it, of which the client must offer one
 * @param begin receives the connection and its version
 * @throws {StatusError} 400 for a client that asks for something else
 */
export function upgradeToSpdy(
  request: ApiRequest,
  known: readonly string[],
  begin: (socket: Socket, version: string) => void,
): Reply | StreamingReply {
  const { headersDistinct } = request.incoming;
  if (!/spdy\/3\.1/i.test(request.header('upgrade'))) throw badRequest('Upgrade request required');
  const values = headersDistinct[versionHeader];
  const count = Object.keys(headersDistinct).length;
  if (!values)
    return refuse(400, `header X-Stream-Protocol-Version does not exist in request with ${count} headers`);
  const offered = values.flatMap((value) => value.split(',')).map((name) => name.trim());
  const version = offered.find((name) => known.includes(name));
  if (version === undefined) {
    const problem = `unable to negotiate protocol: client supports [${offered.join(' ')}], server accepts [${known.join(' ')}]`;
    return { ...refuse(403, problem), headers: { 'X-Accepted-Stream-Protocol-Versions': known.join(', ') } };
  }
  return upgradeReply(101, (socket) => {
    const lines = [
      'HTTP/1.1 101 Switching Protocols',
      'Connection: Upgrade',
      'Upgrade: SPDY/3.1',
      `X-Stream-Protocol-Version: ${version}`,
    ];
    socket.write(`${lines.join('\r\n')}\r\n\r\n`);
    begin(socket, version);
  });
}

function refuse(code: number, problem: string): Reply {
  return text(code, `unable to upgrade: ${problem}\n`);
}

function upgradeReply(code: number, begin: (socket: Socket) => void): StreamingReply {
  const reply: StreamingReply = (response) => {
    const socket = response.takeOver?.();
    if (!socket) throw new Error('the connection cannot have another protocol');
    socket.setTimeout(idleMs, () => socket.destroy());
    begin(socket);
  };
  return Object.assign(reply, { code });
}

function endSocket(socket: Socket, bytes: string): void {
  socket.setTimeout(maxStallMs, () => socket.destroy());
  socket.resume();
  socket.end(bytes);
}
