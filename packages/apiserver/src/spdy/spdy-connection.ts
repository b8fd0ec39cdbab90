import type { Duplex } from 'node:stream';
import { ClientStream } from '../streams/client-stream.ts';
import { SpdyFrameReader, controlFrame, dataHeader, finFlag, frameTypes } from './frame-reader.ts';
import { HeaderReader, type StreamHeaders, emptyHeaders } from './header-block.ts';

/** Why a stream is reset (SPDY/3, section 2.6.3). */
const resetCodes = { protocolError: 1, refusedStream: 3, cancel: 5 } as const;
/** Why a connection ends (SPDY/3, section 2.6.6). */
const goAwayCodes = { ok: 0, protocolError: 1 } as const;

/** How many streams a client can have open in one connection. kubectl needs two for each forwarded connection. */
const maxStreams = 2000;

/** With more pending bytes than this the client does not read, so the server does not read from it either. */
const maxPendingBytes = 1024 * 1024;

/** What a connection tells about its client. */
export interface SpdyListener {
  /**
   * Receives a stream that the client creates.
   *
   * @param id identifies the stream in its connection
   * @returns false to refuse it
   */
  accept(stream: ClientStream, headers: StreamHeaders, id: number): boolean;
  /** Called when the client is gone. */
  close(): void;
}

/** A stream, and which sides have ended it. */
interface OpenStream {
  readonly stream: ClientStream;
  clientEnded: boolean;
  serverEnded: boolean;
}

/**
 * A SPDY/3.1 connection of a client that creates streams. Like the SPDY of Kubernetes, it has no flow control: a stream without
 * a reader stops the whole connection. It does not create streams.
 */
export class SpdyConnection {
  readonly #carrier: Duplex;
  readonly #listener: SpdyListener;
  readonly #streams = new Map<number, OpenStream>();
  readonly #headers = new HeaderReader();
  #lastId = 0;
  #hasReplied = false;
  #isOver = false;

  /** @param carrier transports the bytes */
  constructor(carrier: Duplex, listener: SpdyListener) {
    this.#carrier = carrier;
    this.#listener = listener;
  }

  /** Begins to read from the client. */
  start(): void {
    const carrier = this.#carrier;
    const reader = new SpdyFrameReader({
      control: (type, flags, payload) => this.#receive(type, flags, payload),
      data: (id, part, isLast) => this.#receiveData(id, part, isLast),
    });
    carrier.on('data', (chunk: Buffer) => {
      carrier.pause();
      void reader.read(chunk).then(
        () => this.#continue(),
        () => this.#end(goAwayCodes.protocolError),
      );
    });
    carrier.on('end', () => this.#end(goAwayCodes.ok)).on('close', () => this.#end(goAwayCodes.ok));
  }

  #continue(): void {
    if (this.#isWritable && this.#carrier.writableLength > maxPendingBytes)
      this.#carrier.once('drain', () => this.#carrier.resume());
    else this.#carrier.resume();
  }

  /** Ends the connection, with all streams. */
  end(): void {
    this.#end(goAwayCodes.ok);
  }

  #end(code: number): void {
    if (this.#isOver) return;
    this.#write(frameTypes.goAway, [this.#lastId, code]);
    this.#isOver = true;
    for (const { stream } of this.#streams.values()) stream.lose();
    this.#streams.clear();
    this.#headers.close();
    this.#carrier.end();
    // What the client still sends is dropped.
    this.#carrier.resume();
    this.#listener.close();
  }

  async #receive(type: number, flags: number, payload: Buffer): Promise<void> {
    if (this.#isOver) return;
    switch (type) {
      case frameTypes.synStream:
        return this.#open(payload, flags);
      case frameTypes.rstStream:
        return this.#forget(idOf(payload));
      case frameTypes.ping:
        return this.#answer(payload.readUInt32BE(0));
      case frameTypes.goAway:
        return this.#end(goAwayCodes.ok);
      case frameTypes.synReply:
      case frameTypes.headers:
        await this.#headers.read(payload.subarray(4));
        return undefined;
      case frameTypes.settings:
      case frameTypes.windowUpdate:
        return undefined;
      default:
        throw new Error(`${type} is not a type of a frame`);
    }
  }

  async #open(payload: Buffer, flags: number): Promise<void> {
    const id = idOf(payload);
    const headers = await this.#headers.read(payload.subarray(10));
    if (this.#isOver) return;
    if (id % 2 === 0 || id <= this.#lastId) return this.#reset(id, resetCodes.protocolError);
    this.#lastId = id;
    if (this.#streams.size >= maxStreams) return this.#reset(id, resetCodes.refusedStream);
    const stream = this.#createStream(id);
    if (!this.#listener.accept(stream, headers, id)) return this.#reset(id, resetCodes.cancel);
    const opened = { stream, clientEnded: false, serverEnded: false };
    this.#streams.set(id, opened);
    this.#write(frameTypes.synReply, [id], emptyHeaders(!this.#hasReplied));
    this.#hasReplied = true;
    if ((flags & finFlag) !== 0) this.#endOfClient(id, opened);
  }

  #createStream(id: number): ClientStream {
    return new ClientStream({
      send: (part, sent) => {
        if (!this.#isWritable) return sent();
        this.#carrier.cork();
        this.#carrier.write(dataHeader(id, part.length));
        this.#carrier.write(part, () => sent());
        this.#carrier.uncork();
      },
      end: () => {
        const opened = this.#streams.get(id);
        if (!opened) return;
        this.#carrier.write(dataHeader(id, 0, finFlag));
        opened.serverEnded = true;
        if (opened.clientEnded) this.#streams.delete(id);
      },
    });
  }

  #receiveData(id: number, part: Buffer, isLast: boolean): Promise<void> | undefined {
    const opened = this.#streams.get(id);
    if (!opened) return undefined;
    const ready = part.length === 0 ? undefined : opened.stream.receive(part);
    if (isLast) this.#endOfClient(id, opened);
    return ready;
  }

  #endOfClient(id: number, opened: OpenStream): void {
    opened.stream.receiveEnd();
    opened.clientEnded = true;
    if (opened.serverEnded) this.#streams.delete(id);
  }

  /** Answers a ping. The pings of clients are odd, and others answer pings of a server, which sends none. */
  #answer(ping: number): void {
    if (ping % 2 === 1) this.#write(frameTypes.ping, [ping]);
  }

  #forget(id: number): void {
    this.#streams.get(id)?.stream.lose();
    this.#streams.delete(id);
  }

  #reset(id: number, code: number): void {
    this.#write(frameTypes.rstStream, [id, code]);
  }

  get #isWritable(): boolean {
    return !this.#isOver && !this.#carrier.destroyed && !this.#carrier.writableEnded;
  }

  #write(type: number, numbers: readonly number[], rest: Buffer = Buffer.alloc(0)): void {
    if (!this.#isWritable) return;
    const fields = Buffer.alloc(4 * numbers.length);
    for (const [index, number] of numbers.entries()) fields.writeUInt32BE(number, 4 * index);
    this.#carrier.write(controlFrame(type, Buffer.concat([fields, rest])));
  }
}

/** @throws {RangeError} for a frame that is too short */
function idOf(payload: Buffer): number {
  return payload.readUInt32BE(0) & 0x7fffffff;
}
