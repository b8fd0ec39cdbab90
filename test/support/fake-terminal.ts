import { PassThrough } from 'node:stream';
import { WriteStream } from 'node:tty';

/** A terminal that remembers what was written on it, as the `stdout` or `stderr` of a run. */
export interface FakeTerminal {
  readonly stream: NodeJS.WriteStream;
  text(): string;
}

const getColorDepth = (env?: object): number => WriteStream.prototype.getColorDepth(env);

/** @param columns width of the terminal */
export function fakeTerminal(columns = 80): FakeTerminal {
  let text = '';
  const through = new PassThrough();
  through.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')));
  const stream = Object.assign(through, { isTTY: true, columns, rows: 40, getColorDepth });
  return { stream: stream as unknown as NodeJS.WriteStream, text: () => text };
}
