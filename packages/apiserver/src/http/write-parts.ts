import type { ServerResponse } from 'node:http';
import type { Writable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { nextTurn } from './turns.ts';

/** Characters that are made and written at once. */
const sliceSize = 128 * 1024;

/** Milliseconds after which a client that reads nothing is cut off: that of a kube-apiserver for any request but a watch. */
const patience = 60_000;

/** Takes parts of a text until they are long enough. */
export function nextSlice(parts: Iterator<string>): { text: string; done: boolean } {
  const taken: string[] = [];
  for (let size = 0; size < sliceSize;) {
    const part = parts.next();
    if (part.done) return { text: taken.join(''), done: true };
    taken.push(part.value);
    size += part.value.length;
  }
  return { text: taken.join(''), done: false };
}

/**
 * Writes a long answer slice by slice, whose head was written: each when the client has read the one before and other requests
 * had their turn. What is not written yet does not exist as text.
 *
 * @param first the slice that was made already
 */
export async function writeParts(
  response: ServerResponse,
  first: string,
  rest: Iterator<string>,
  isPacked: boolean,
): Promise<void> {
  const sink: Writable = isPacked ? createGzip({ level: 1 }) : response;
  if (sink !== response) sink.pipe(response);
  response.setTimeout(patience, () => response.destroy());
  for (let slice = { text: first, done: false }; ; slice = nextSlice(rest)) {
    if (!sink.write(Buffer.from(slice.text))) await drained(sink, response);
    if (response.destroyed) {
      sink.destroy();
      rest.return?.();
      return;
    }
    if (slice.done) break;
    await nextTurn();
  }
  sink.end();
}

/** Waits until the client has read, or is gone. */
function drained(sink: Writable, response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      sink.off('drain', done);
      response.off('close', done);
      resolve();
    };
    sink.on('drain', done);
    response.on('close', done);
  });
}
