import type { Socket } from 'node:net';
import { opcodes } from '../web-socket/frame.ts';
import { MessageSocket } from '../web-socket/message-socket.ts';
import { ClientStream } from './client-stream.ts';

/**
 * The bytes that a client sends and receives in the binary messages of a WebSocket.
 *
 * @param socket a socket after the handshake
 */
export function tunnelOf(socket: Socket): ClientStream {
  let ready: Promise<void> | undefined;
  const stream: ClientStream = new ClientStream({
    send: (part, sent) => messages.send(opcodes.binary, part, sent),
    end: () => messages.end(),
  });
  const messages = new MessageSocket(socket, {
    begin: (opcode) => {
      if (opcode !== opcodes.binary) messages.end();
    },
    data: (part) => {
      ready = stream.receive(part);
    },
    end: () => {},
    ready: () => ready,
    close: () => stream.lose(),
  });
  return stream;
}
