import type { Socket } from 'node:net';
import { opcodes } from '../web-socket/frame.ts';
import { MessageSocket } from '../web-socket/message-socket.ts';
import { ClientStream } from './client-stream.ts';

/** A WebSocket subprotocol with channels: the first byte of each message is the number of the channel to which the rest belongs. */
export interface ChannelProtocol {
  /** The name of the subprotocol; empty for a client that asks for none. */
  readonly name: string;
  /** Whether the number is a digit, and the rest is in base64. */
  readonly isBase64: boolean;
  /** Whether a client ends a channel by a message to the channel 255 with its number. */
  readonly canEnd: boolean;
}

const endChannel = 255;
const digitZero = '0'.charCodeAt(0);

/** The channels of a WebSocket. */
export class Channels {
  readonly #socket: MessageSocket;
  readonly #protocol: ChannelProtocol;
  readonly #streams: readonly ClientStream[];
  readonly #readable: ReadonlySet<number>;
  /** The channel of the current message; undefined before its first byte. */
  #current: number | undefined;
  /** The digits of the current message that are not decoded yet. */
  #digits = '';
  /** The payload of a message to the end channel. */
  #ended: number[] = [];
  /** Resolves when the channel that is full can receive more. */
  #ready: Promise<void> | undefined;
  #isClosed = false;

  /**
   * @param socket a socket after the handshake
   * @param count how many channels there are
   * @param readable those that the client writes to; what it writes to others is dropped
   * @param closed called when the client is gone
   */
  constructor(
    socket: Socket,
    protocol: ChannelProtocol,
    { count, readable, closed }: { count: number; readable: readonly number[]; closed: () => void },
  ) {
    this.#protocol = protocol;
    this.#readable = new Set(readable);
    this.#streams = Array.from({ length: count }, (_, channel) => this.#createStream(channel));
    this.#socket = new MessageSocket(socket, {
      begin: () => (this.#current = undefined),
      data: (part) => this.#receive(part),
      end: () => this.#endMessage(),
      ready: () => {
        const ready = this.#ready;
        this.#ready = undefined;
        return ready;
      },
      close: () => {
        if (this.#isClosed) return;
        this.#isClosed = true;
        for (const stream of this.#streams) stream.lose();
        closed();
      },
    });
  }

  stream(channel: number): ClientStream {
    const stream = this.#streams[channel];
    if (!stream) throw new RangeError(`there is no channel ${channel}`);
    return stream;
  }

  /** Sends a message without content to a channel. */
  greet(channel: number): void {
    this.#send(channel, Buffer.alloc(0), () => {});
  }

  /** Ends the connection. */
  end(): void {
    this.#socket.end();
  }

  #createStream(channel: number): ClientStream {
    return new ClientStream({
      send: (part, sent) => this.#send(channel, part, sent),
      // The end of the connection is the end of its channels.
      end: () => {},
    });
  }

  #send(channel: number, part: Buffer, sent: () => void): void {
    if (this.#protocol.isBase64)
      this.#socket.send(
        opcodes.text,
        Buffer.from(String.fromCharCode(digitZero + channel) + part.toString('base64')),
        sent,
      );
    else this.#socket.send(opcodes.binary, Buffer.concat([Buffer.from([channel]), part]), sent);
  }

  #receive(part: Buffer): void {
    if (part.length === 0) return;
    if (this.#current !== undefined) return this.#receiveContent(this.#current, part);
    const [first = 0] = part;
    this.#current = this.#protocol.isBase64 ? first - digitZero : first;
    this.#digits = '';
    this.#ended = [];
    this.#receiveContent(this.#current, part.subarray(1));
  }

  #receiveContent(channel: number, part: Buffer): void {
    if (part.length === 0) return;
    if (channel === endChannel && this.#protocol.canEnd) {
      this.#ended.push(...part.subarray(0, 2 - this.#ended.length));
      return;
    }
    if (!this.#readable.has(channel)) return;
    const content = this.#protocol.isBase64 ? this.#decode(part) : part;
    this.#ready = this.stream(channel).receive(content) ?? this.#ready;
  }

  /** Four digits are three bytes. */
  #decode(part: Buffer): Buffer {
    const digits = this.#digits + part.toString('latin1');
    const complete = digits.length - (digits.length % 4);
    this.#digits = digits.slice(complete);
    return Buffer.from(digits.slice(0, complete), 'base64');
  }

  #endMessage(): void {
    if (this.#current !== endChannel || !this.#protocol.canEnd) return;
    const [channel = endChannel, ...more] = this.#ended;
    if (more.length > 0 || channel >= this.#streams.length) return this.end();
    this.stream(channel).receiveEnd();
  }
}
