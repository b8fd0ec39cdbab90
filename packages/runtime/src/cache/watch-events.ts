import type { KubernetesObject } from 'ots-kubernetes';
import { ConnectionError } from '../transport/connection-error.ts';
import { responseError } from '../transport/response-error.ts';

/** One event of a watch that carries an object. */
export interface WatchEvent<T extends KubernetesObject> {
  type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK';
  object: T;
}

const newline = 0x0a;

/**
 * The events of a watch stream: JSON documents, one a line. A line may come in many chunks, cut anywhere, also inside
 * of a character; what follows the last newline is a line that broke off, and the next watch brings it again.
 * @throws {ApiError} when the server sends an ERROR event.
 * @throws {ConnectionError} when a line is not JSON or no event. It does not quote the line, which may be of a Secret.
 */
export async function* watchEvents<T extends KubernetesObject>(
  stream: AsyncIterable<Buffer>,
): AsyncGenerator<WatchEvent<T>> {
  for await (const line of lines(stream)) {
    const event = parse(line);
    if (event?.type === 'ERROR') {
      const status = event.object as { code?: number } | undefined;
      throw responseError(status?.code ?? 500, JSON.stringify(status));
    }
    if (!isEvent<T>(event)) throw garbage(line, 'no watch event');
    yield event;
  }
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
    `a line of ${line.length} characters in the watch is ${what}`,
    'Check what stands between the operator and the API server.',
  );
}

const types: ReadonlySet<unknown> = new Set(['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK']);

function isEvent<T extends KubernetesObject>(event: unknown): event is WatchEvent<T> {
  const { type, object } = (event ?? {}) as { type?: unknown; object?: Partial<KubernetesObject> | null };
  return types.has(type) && typeof object?.metadata?.resourceVersion === 'string';
}

async function* lines(stream: AsyncIterable<Buffer>): AsyncGenerator<string> {
  // Pieces are joined once a line is whole: joining at every chunk would copy a large line again and again.
  let pieces: Buffer[] = [];
  for await (const chunk of stream) {
    let start = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      pieces.push(chunk.subarray(start, end));
      const line = pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
      pieces = [];
      start = end + 1;
      if (line.length > 0) yield line.toString('utf8');
    }
    if (start < chunk.length) pieces.push(chunk.subarray(start));
  }
}
