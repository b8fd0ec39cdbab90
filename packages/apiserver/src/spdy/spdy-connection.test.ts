import { Duplex } from 'node:stream';
import { expect, test } from 'vitest';
import { HeaderWriter, uint32 } from '../../test/support/spdy-client.ts';
import type { ClientStream } from '../streams/client-stream.ts';
import { controlFrame, dataHeader, finFlag, frameTypes } from './frame-reader.ts';
import { SpdyConnection } from './spdy-connection.ts';

/** A connection whose streams echo, and all that it answers. */
class EchoServer {
  readonly writer = new HeaderWriter();
  readonly streams: ClientStream[] = [];
  readonly #carrier: Duplex;
  #answered = Buffer.alloc(0);
  #wake = () => {};
  isClosed = false;

  constructor() {
    this.#carrier = new Duplex({
      read: () => {},
      write: (chunk: Buffer, _, done) => {
        this.#answered = Buffer.concat([this.#answered, chunk]);
        this.#wake();
        done();
      },
    });
    const connection = new SpdyConnection(this.#carrier, {
      accept: (stream, headers) => {
        this.streams.push(stream);
        stream.pipe(stream);
        return headers.get('refuse') === undefined;
      },
      close: () => {
        this.isClosed = true;
        this.#wake();
      },
    });
    connection.start();
  }

  send(...parts: readonly Buffer[]): void {
    for (const part of parts) this.#carrier.push(part);
  }

  /** The complete frames, such as `reply 1`, `data 1 hello`, `reset 3 1` or `goaway 1 0`. */
  get frames(): string[] {
    const frames: string[] = [];
    let rest = this.#answered;
    while (rest.length >= 8 && rest.length >= 8 + rest.readUIntBE(5, 3)) {
      const length = 8 + rest.readUIntBE(5, 3);
      frames.push(nameOf(rest.subarray(0, length)));
      rest = rest.subarray(length);
    }
    return frames;
  }

  async until(suffices: (server: EchoServer) => boolean): Promise<string[]> {
    while (!suffices(this)) await new Promise<void>((resolve) => (this.#wake = resolve));
    return this.frames;
  }
}

const names: Readonly<Record<number, string>> = {
  [frameTypes.synReply]: 'reply',
  [frameTypes.rstStream]: 'reset',
  [frameTypes.ping]: 'ping',
  [frameTypes.goAway]: 'goaway',
};

function nameOf(frame: Buffer): string {
  const first = frame.readUInt32BE(0);
  if (first < 0x80000000) {
    const isLast = frame.readUInt8(4) === finFlag;
    return `data ${first} ${frame.toString('utf8', 8)}${isLast ? ' end' : ''}`;
  }
  const type = frame.readUInt16BE(2);
  const numbers =
    type === frameTypes.synReply
      ? [8]
      : Array.from({ length: (frame.length - 8) / 4 }, (_, index) => 8 + 4 * index);
  return [names[type], ...numbers.map((at) => frame.readUInt32BE(at))].join(' ');
}

const data = (id: number, text: string, flags = 0) =>
  Buffer.concat([dataHeader(id, text.length, flags), Buffer.from(text)]);
const control = (type: number, ...numbers: number[]) =>
  controlFrame(type, Buffer.concat(numbers.map(uint32)));

test('streams carry bytes both ways until both sides end', async () => {
  const server = new EchoServer();
  const frames = [
    await server.writer.createStream(1, { streamtype: 'data' }),
    await server.writer.createStream(3, { streamtype: 'error' }),
    data(1, 'hello'),
    data(3, 'you', finFlag),
    control(frameTypes.ping, 7),
    control(frameTypes.ping, 8),
    data(1, '', finFlag),
    data(1, 'too late'),
  ];
  // However the bytes are split.
  for (const byte of Buffer.concat(frames)) server.send(Buffer.from([byte]));
  const answered = await server.until(
    (echo) => echo.frames.filter((frame) => frame.endsWith(' end')).length === 2,
  );
  const bytesOf = (id: number) =>
    answered.flatMap((frame) => (frame.startsWith(`data ${id} `) ? frame.split(' ')[2] : [])).join('');
  expect(answered.filter((frame) => !frame.startsWith('data'))).toStrictEqual([
    'reply 1',
    'reply 3',
    'ping 7',
  ]);
  expect([bytesOf(1), bytesOf(3)]).toStrictEqual(['hello', 'you']);
});

test('streams that cannot be created are reset', async () => {
  const server = new EchoServer();
  for (const id of [2, 5, 3, 5]) server.send(await server.writer.createStream(id, {}));
  server.send(await server.writer.createStream(7, { refuse: 'yes' }));
  expect(await server.until(({ frames }) => frames.length === 5)).toStrictEqual([
    'reset 2 1',
    'reply 5',
    'reset 3 1',
    'reset 5 1',
    'reset 7 5',
  ]);
});

test('a client that resets a stream ends it', async () => {
  const server = new EchoServer();
  server.send(await server.writer.createStream(1, {}), control(frameTypes.rstStream, 1, 5));
  await server.until(() => server.streams.length === 1);
  const [stream] = server.streams;
  await new Promise((resolve) => stream?.once('gone', resolve));
  server.send(control(frameTypes.ping, 1));
  expect(await server.until(({ frames }) => frames.length === 2)).toStrictEqual(['reply 1', 'ping 1']);
});

test('thousands of streams are refused', async () => {
  const server = new EchoServer();
  for (let id = 1; id < 4_010; id += 2) server.send(await server.writer.createStream(id, {}));
  const frames = await server.until((echo) => echo.frames.length === 2_005);
  expect(frames.filter((frame) => frame.startsWith('reply'))).toHaveLength(2_000);
  expect(frames.slice(2_000)).toStrictEqual([4001, 4003, 4005, 4007, 4009].map((id) => `reset ${id} 3`));
});

test.each([
  ['what is not a frame', [Buffer.from('\u0080GET / HTTP/1.1\r\n')]],
  ['a frame of another version', [Buffer.from([0x80, 2, 0, 6, 0, 0, 0, 4, 0, 0, 0, 1])]],
  ['a frame that is too long', [Buffer.from([0x80, 3, 0, 6, 0, 0xff, 0xff, 0xff])]],
  ['a frame that is too short', [control(frameTypes.ping)]],
  ['a type that does not exist', [control(99, 1)]],
  ['headers that are not compressed', [control(frameTypes.synStream, 1, 0, 0, 0, 0, 0)]],
])('a client that sends %s is sent away', async (_, sent) => {
  const server = new EchoServer();
  server.send(await server.writer.createStream(1, {}), ...sent);
  const frames = await server.until(({ isClosed }) => isClosed);
  expect(frames).toStrictEqual(['reply 1', 'goaway 1 1']);
});

test('a client that leaves ends all streams', async () => {
  const server = new EchoServer();
  server.send(await server.writer.createStream(1, {}), control(frameTypes.goAway, 0, 0));
  expect(await server.until(({ isClosed }) => isClosed)).toStrictEqual(['reply 1', 'goaway 1 0']);
  const [stream] = server.streams;
  if (!stream) throw new Error('there is no stream');
  // What is written now is dropped.
  await new Promise<void>((resolve) => stream.end('late', resolve));
});
