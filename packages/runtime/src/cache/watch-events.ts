import type { KubernetesObject } from 'ots-kubernetes';
import { ConnectionError } from '../errors/connection-error.ts';
import { responseError } from '../transport/response-error.ts';

/** One event of a watch that carries an object. */
export interface WatchEvent<T extends KubernetesObject> {
  type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK';
  object: T;
}

const newline = 0x0a;

/**
 * The events of a watch stream: JSON documents, one per line. A line may arrive in many chunks, cut anywhere, even
 * inside a character. Anything after the last newline is an incomplete line, which the next watch delivers again.
 */
export class WatchEvents<T extends KubernetesObject> {
  // Pieces are joined when a line is complete: joining at every chunk would copy a large line again and again.
  #pieces: Buffer[] = [];

  /**
   * The events that the next chunk of the stream completes, in order. Synchronous: a busy watch delivers thousands of
   * events per second.
   * @throws {ApiError} when the server sends an ERROR event.
   * @throws {ConnectionError} if a line is not JSON or not an event. The message does not quote the line, which may
   *   contain a Secret.
   */
  *in(chunk: Buffer): Generator<WatchEvent<T>> {
    let start = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      const line = this.#completed(chunk.subarray(start, end));
      start = end + 1;
      if (line.length > 0) yield eventOf(line.toString('utf8'));
    }
    if (start < chunk.length) this.#pieces.push(chunk.subarray(start));
  }

  #completed(last: Buffer): Buffer {
    if (this.#pieces.length === 0) return last;
    const line = Buffer.concat([...this.#pieces, last]);
    this.#pieces = [];
    return line;
  }
}

function eventOf<T extends KubernetesObject>(line: string): WatchEvent<T> {
  const event = parse(line);
  if (event?.type === 'ERROR') {
    const status = event.object as { code?: number } | undefined;
    throw responseError(status?.code ?? 500, JSON.stringify(status));
  }
  if (!isEvent<T>(event)) throw garbage(line, 'not a watch event');
  return event;
}

function parse(line: string): { type?: unknown; object?: unknown } | null {
  try {
    return JSON.parse(line);
  } catch {
    throw garbage(line, 'not JSON');
  }
}

function garbage(line: string, what: string): ConnectionError {
  return new ConnectionError(
    `A line of ${line.length} characters in the watch is ${what}`,
    'Check any proxy between the operator and the API server.',
  );
}

const types: ReadonlySet<unknown> = new Set(['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK']);

function isEvent<T extends KubernetesObject>(event: unknown): event is WatchEvent<T> {
  const { type, object } = (event ?? {}) as { type?: unknown; object?: Partial<KubernetesObject> | null };
  return types.has(type) && typeof object?.metadata?.resourceVersion === 'string';
}
