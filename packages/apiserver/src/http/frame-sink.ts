import type { Duplex } from 'node:stream';
import type { Socket } from 'node:net';
import { type EventSink, maxStallMs } from './event-sink.ts';
import { FrameReader, opcodes } from './frame-reader.ts';

/** WebSocket close codes (RFC 6455, section 7.4). */
const normal = 1000;
const protocolError = 1002;

/** With more pending bytes than this the client does not read, so its pings stay unanswered. */
const maxPendingBytes = 64 * 1024;

/** Sends events as WebSocket text messages. Ignores what the client sends except pings and close. */
export class FrameSink implements EventSink {
  readonly #socket: Socket;
  #frames: Buffer[] = [];
  #size = 0;

  /** @param socket a socket after the handshake */
  constructor(socket: Socket) {
    this.#socket = socket;
    const reader = new FrameReader({
      frame: (opcode, payload) => this.#answer(opcode, payload),
      violation: (reason) => {
        if (reason === 'not masked') this.#close(protocolError);
        this.end();
      },
    });
    socket.on('data', (chunk: Buffer) => reader.read(chunk));
    socket.on('end', () => this.end());
  }

  get size(): number {
    return this.#size;
  }

  get isClosed(): boolean {
    return this.#socket.destroyed || this.#socket.writableEnded;
  }

  add(event: string): void {
    const payload = Buffer.from(`${event}\n`);
    this.#frames.push(headerOf(opcodes.text, payload.length), payload);
    this.#size += event.length;
  }

  flush(): boolean {
    const bytes = Buffer.concat(this.#frames);
    this.#frames = [];
    this.#size = 0;
    return this.#socket.write(bytes);
  }

  end(): void {
    if (this.isClosed) return;
    this.#close(normal);
    this.#socket.setTimeout(maxStallMs, () => this.#socket.destroy());
    this.#socket.end();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  listen(drained: () => void, closed: () => void): void {
    this.#socket.on('drain', drained).on('close', closed).on('finish', closed);
  }

  #answer(opcode: number, payload: Buffer): void {
    if (this.isClosed) return;
    if (opcode === opcodes.close) this.end();
    else if (opcode === opcodes.ping && this.#socket.writableLength < maxPendingBytes)
      writeFrame(this.#socket, opcodes.pong, payload);
  }

  #close(code: number): void {
    writeFrame(this.#socket, opcodes.close, Buffer.from([code >> 8, code & 0xff]));
  }
}

function writeFrame(socket: Duplex, opcode: number, payload: Buffer): void {
  socket.write(Buffer.concat([headerOf(opcode, payload.length), payload]));
}

/** The header of an unfragmented, unmasked message. */
function headerOf(opcode: number, length: number): Buffer {
  const first = 0x80 | opcode;
  if (length < 126) return Buffer.from([first, length]);
  if (length < 0x10000) return Buffer.from([first, 126, length >> 8, length & 0xff]);
  const header = Buffer.alloc(10);
  header.writeUInt8(first, 0);
  header.writeUInt8(127, 1);
  header.writeBigUInt64BE(BigInt(length), 2);
  return header;
}
