import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { maxStallMs } from '../web-socket/message-socket.ts';

/** The response to a request that asks for another protocol. The connection has it, or ends with this response. */
export class UpgradeResponse extends ServerResponse {
  readonly #socket: Socket;

  /** @param socket the socket of the request, of which only the head was read */
  constructor(incoming: IncomingMessage, socket: Socket) {
    super(incoming);
    this.#socket = socket;
    this.shouldKeepAlive = false;
    this.assignSocket(socket);
    this.once('finish', () => {
      // What the client still sends is dropped.
      socket.resume();
      socket.setTimeout(maxStallMs, () => socket.destroy());
      socket.end();
    });
  }

  takeOver(): Socket {
    this.detachSocket(this.#socket);
    return this.#socket;
  }
}
