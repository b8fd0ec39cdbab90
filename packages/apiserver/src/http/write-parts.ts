import type { HttpResponse } from './http-message.ts';
import type { Writable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { nextTurn } from './turns.ts';

/** The number of characters produced and written at once. */
const sliceSize = 128 * 1024;

/**
 * How long in milliseconds before a client that reads nothing is cut off: kube-apiserver's limit for all requests
 * but watches.
 */
const maxStallMs = 60_000;

/** Joins parts of a text until it is long enough. */
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
 * Writes a long answer in slices, after its head: each when the client has read the previous one and other
 * requests had their turn. Text is produced only when it is written.
 *
 * @param first the slice that is already produced
 */
export async function writeParts(
  response: HttpResponse,
  first: string,
  rest: Iterator<string>,
  isPacked: boolean,
): Promise<void> {
  const sink: Writable = isPacked ? createGzip({ level: 1 }) : response;
  if (sink !== response) sink.pipe(response);
  response.setTimeout(maxStallMs, () => response.destroy());
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

/** Waits until the client has read, or has disconnected. */
function drained(sink: Writable, response: HttpResponse): Promise<void> {
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
