import type { Socket } from 'node:net';
import { frameOf, opcodes } from './frame.ts';
import { FrameReader } from './frame-reader.ts';

/** WebSocket close codes (RFC 6455, section 7.4). */
const closeCodes = { normal: 1000, protocolError: 1002 } as const;

/** How long in milliseconds a client that reads nothing can still receive the end of its connection. */
export const maxStallMs = 30_000;

/** With more pending bytes than this the client does not read, so its pings stay unanswered. */
const maxPendingBytes = 64 * 1024;

/** Receives the messages of a client. */
export interface MessageListener {
  /** Called when a message begins. */
  begin(opcode: number): void;
  /** Receives the bytes of the message as they arrive. */
  data(part: Buffer): void;
  /** Called when the message is complete. */
  end(): void;
  /** @returns resolves when the listener can receive more; undefined if it can already */
  ready(): Promise<void> | undefined;
  /** Called when no more messages come. */
  close(): void;
}

/** A WebSocket after the handshake. It answers pings, and a close of the client. */
export class MessageSocket {
  readonly #socket: Socket;
  readonly #listener: MessageListener | undefined;
  readonly #reader: FrameReader;
  /** Whether a message has begun of which more frames follow. */
  #isFragmented = false;

  /** @param listener receives the messages. Default: the socket drops them. */
  constructor(socket: Socket, listener?: MessageListener) {
    this.#socket = socket;
    this.#listener = listener;
    this.#reader = new FrameReader({
      ...(listener && {
        begin: (opcode: number, isFinal: boolean) => this.#begin(opcode, isFinal, listener),
        data: (part: Buffer) => this.isClosed || listener.data(part),
      }),
      frame: (opcode, payload) => {
        if (this.isClosed) return;
        if (opcode >= opcodes.close) this.#answer(opcode, payload);
        else if (!this.#isFragmented) listener?.end();
      },
      violation: (reason) => {
        if (reason === 'not masked') this.#close(closeCodes.protocolError);
        this.end();
      },
    });
    socket.on('data', (chunk: Buffer) => this.#read(chunk));
    socket.on('end', () => this.end());
    socket.on('close', () => listener?.close());
  }

  /** Whether nothing can be sent any more. */
  get isClosed(): boolean {
    return this.#socket.destroyed || this.#socket.writableEnded;
  }

  /**
   * Sends a message.
   *
   * @param sent called when the client can receive more, or will never receive anything
   */
  send(opcode: number, payload: Buffer, sent: () => void): void {
    if (this.isClosed) return sent();
    const [header, body] = frameOf(opcode, payload);
    this.#socket.cork();
    this.#socket.write(header);
    this.#socket.write(body, () => sent());
    this.#socket.uncork();
  }

  /** Ends the connection. Cuts off a client that does not read the rest within a while. */
  end(): void {
    if (this.isClosed) return;
    this.#close(closeCodes.normal);
    this.#socket.setTimeout(maxStallMs, () => this.#socket.destroy());
    this.#socket.end();
    this.#listener?.close();
  }

  #read(chunk: Buffer): void {
    this.#reader.read(chunk);
    const ready = this.#listener?.ready();
    if (!ready || this.isClosed) return;
    this.#socket.pause();
    void ready.then(() => this.#socket.resume());
  }

  #begin(opcode: number, isFinal: boolean, listener: MessageListener): void {
    if (this.isClosed || opcode >= opcodes.close) return;
    const isContinuation = opcode === opcodes.continuation;
    if (isContinuation !== this.#isFragmented || opcode > opcodes.binary) {
      this.#close(closeCodes.protocolError);
      return this.end();
    }
    this.#isFragmented = !isFinal;
    if (!isContinuation) listener.begin(opcode);
  }

  #answer(opcode: number, payload: Buffer): void {
    if (opcode === opcodes.close) this.end();
    else if (opcode === opcodes.ping && this.#socket.writableLength < maxPendingBytes)
      this.#write(opcodes.pong, payload);
  }

  #close(code: number): void {
    this.#write(opcodes.close, Buffer.from([code >> 8, code & 0xff]));
  }

  #write(opcode: number, payload: Buffer): void {
    this.#socket.write(Buffer.concat(frameOf(opcode, payload)));
  }
}
