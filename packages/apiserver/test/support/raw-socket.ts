import { type Socket, connect } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import type { Connection } from 'ots-apiserver';

/** A frame of a WebSocket as a server sends it. */
export interface Frame {
  /** The first byte: whether the frame is the last one of its message, and its opcode. */
  kind: string;
  text: string;
}

/** The headers with which a client requests a WebSocket. */
export const upgrade = [
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
];
export const origin = 'Origin: http://example.com';

/** A frame as a client sends it. */
export function clientFrame(
  kind: number,
  text: string | Buffer,
  { isMasked = true, length = text.length } = {},
): Buffer {
  const mask = isMasked ? [1, 2, 3, 4] : [];
  const first = isMasked ? 0x80 : 0;
  const header = length < 126 ? Buffer.from([kind, first | length]) : Buffer.alloc(10);
  if (length >= 126) {
    header.set([kind, first | 127]);
    header.writeBigUInt64BE(BigInt(length), 2);
  }
  const payload = Buffer.from(text).map((byte, index) => byte ^ (mask[index % 4] ?? 0));
  return Buffer.concat([header, Buffer.from(mask), payload]);
}

/** One connection to a server that exposes every byte. */
export class RawSocket {
  readonly #socket: Socket;
  #received = Buffer.alloc(0);
  #wake = () => {};
  #isOver = false;

  private constructor(socket: Socket) {
    this.#socket = socket;
    const over = () => {
      this.#isOver = true;
      this.#wake();
    };
    socket.on('close', over).on('error', over);
    socket.on('data', (chunk: Buffer) => {
      this.#received = Buffer.concat([this.#received, chunk]);
      this.#wake();
    });
  }

  /** Sends a request. */
  static open({ server, token, caData }: Connection, line: string, headers: readonly string[]): RawSocket {
    const { hostname: host, port: text, protocol } = new URL(server);
    const port = Number(text);
    const options = { host, port, ca: caData, ALPNProtocols: ['http/1.1'] };
    const socket = protocol === 'https:' ? connectSecurely(options) : connect(port, host);
    const authorization = token === undefined ? [] : [`Authorization: Bearer ${token}`];
    socket.write([`${line} HTTP/1.1`, 'Host: localhost', ...authorization, ...headers, '', ''].join('\r\n'));
    return new RawSocket(socket);
  }

  send(bytes: Buffer | string): void {
    this.#socket.write(bytes);
  }

  /** Waits until enough data has arrived, or the server has closed the connection. */
  async until(suffices: (received: RawSocket) => boolean): Promise<this> {
    while (!this.#isOver && !suffices(this)) await new Promise<void>((resolve) => (this.#wake = resolve));
    return this;
  }

  /** Whether the server has closed the connection. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** The status line and the headers about the connection. */
  get head(): string[] {
    const lines = this.#received.toString('latin1').split('\r\n\r\n')[0]?.split('\r\n') ?? [];
    return lines.filter((line) => /^(HTTP|Upgrade|Connection: Upgrade|Sec-)/.test(line));
  }

  get body(): string {
    return this.#received.toString('utf8').split('\r\n\r\n').slice(1).join('\r\n\r\n');
  }

  /** The frames that have arrived completely. */
  get frames(): Frame[] {
    const start = this.#received.indexOf('\r\n\r\n');
    const frames: Frame[] = [];
    for (let at = start === -1 ? this.#received.length : start + 4; at + 2 <= this.#received.length;) {
      const [kind = 0, short = 0] = this.#received.subarray(at);
      const extended = short === 126 ? 2 : short === 127 ? 8 : 0;
      if (at + 2 + extended > this.#received.length) break;
      const length =
        extended === 0
          ? short
          : this.#received.readUIntBE(at + (extended === 8 ? 4 : 2), extended === 8 ? 6 : 2);
      const from = at + 2 + extended;
      if (from + length > this.#received.length) break;
      const payload = this.#received.subarray(from, from + length);
      frames.push({
        kind: kind.toString(16),
        text: kind === 0x88 ? `${payload.readUInt16BE(0)}` : payload.toString('utf8'),
      });
      at = from + length;
    }
    return frames;
  }

  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  close(): void {
    this.#socket.destroy();
  }
}
