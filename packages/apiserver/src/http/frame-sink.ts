import type { Socket } from 'node:net';
import { frameOf, opcodes } from '../web-socket/frame.ts';
import { MessageSocket } from '../web-socket/message-socket.ts';
import type { EventSink } from './event-sink.ts';

/** Sends events as WebSocket text messages. Ignores what the client sends except pings and close. */
export class FrameSink implements EventSink {
  readonly #socket: Socket;
  readonly #messages: MessageSocket;
  #frames: Buffer[] = [];
  #size = 0;

  /** @param socket a socket after the handshake */
  constructor(socket: Socket) {
    this.#socket = socket;
    this.#messages = new MessageSocket(socket);
  }

  get size(): number {
    return this.#size;
  }

  get isClosed(): boolean {
    return this.#messages.isClosed;
  }

  add(event: string): void {
    this.#frames.push(...frameOf(opcodes.text, Buffer.from(`${event}\n`)));
    this.#size += event.length;
  }

  flush(): boolean {
    const bytes = Buffer.concat(this.#frames);
    this.#frames = [];
    this.#size = 0;
    return this.#socket.write(bytes);
  }

  end(): void {
    this.#messages.end();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  listen(drained: () => void, closed: () => void): void {
    this.#socket.on('drain', drained).on('close', closed).on('finish', closed);
  }
}
