import type { ApiError } from '../src/errors/api-error.ts';
import { responseError } from '../src/transport/response-error.ts';
import { ConnectionError } from '../src/errors/connection-error.ts';
import type { Query, TransportRequest } from '../src/transport/transport-request.ts';
import type { Transport } from '../src/transport/transport.ts';
import { type Thing, thing } from './thing.ts';

interface LoggedEvent {
  type: 'ADDED' | 'MODIFIED' | 'DELETED';
  version: number;
  object: Thing;
}

interface OpenWatch {
  /** Lines that have not been delivered yet. */
  pending: string[];
  /** Bytes that arrive, or how the connection ends. */
  put: (chunk: Buffer | Error) => void;
}

export type Fault = 'refused' | 'busy' | 'broken' | 'expired';

/**
 * The collection of Things on an API server, in memory and without a network: lists in pages of a version, watches
 * from any version that is not compacted, and events that travel only when a test lets them.
 */
export class ModelServer {
  readonly objects = new Map<string, Thing>();
  readonly log: LoggedEvent[] = [];
  /** The faults of the next requests, in order. */
  readonly faults: Fault[] = [];
  readonly #watches = new Set<OpenWatch>();
  #version = 100;
  #compacted = 0;

  /** The connection of the runtime. */
  get transport(): Transport {
    const served = {
      request: async (request: TransportRequest) => structuredClone(this.#list(request.query ?? {})),
      stream: async (_: string, query: Query, signal: AbortSignal) => this.#watch(query, signal),
    };
    return served as unknown as Transport;
  }

  put(name: string): Thing {
    const before = this.objects.get(name);
    this.#version += 1;
    const made = thing(name, this.#version);
    const uid = before?.metadata.uid ?? `uid-${this.#version}`;
    const object = { ...made, metadata: { ...made.metadata, uid, resourceVersion: String(this.#version) } };
    this.objects.set(name, object);
    this.#tell(before ? 'MODIFIED' : 'ADDED', object);
    return structuredClone(object);
  }

  delete(name: string): Thing | undefined {
    const before = this.objects.get(name);
    if (!before) return undefined;
    this.objects.delete(name);
    this.#version += 1;
    const metadata = { ...before.metadata, resourceVersion: String(this.#version) };
    this.#tell('DELETED', { ...before, metadata });
    return before;
  }

  /** Forgets the history: no watch or list can continue from an earlier version. */
  compact(): void {
    this.#compacted = this.#version;
  }

  bookmark(): void {
    const object = {
      apiVersion: 'example.com/v1',
      kind: 'Thing',
      metadata: { resourceVersion: `${this.#version}` },
    };
    for (const watch of this.#watches) watch.pending.push(line('BOOKMARK', object));
  }

  /** Delivers `count` lines of every watch. */
  deliver(count: number): void {
    for (const watch of this.#watches) {
      for (const text of watch.pending.splice(0, count)) {
        // In two chunks, cut in the middle.
        const bytes = Buffer.from(text);
        watch.put(bytes.subarray(0, bytes.length / 2));
        watch.put(bytes.subarray(bytes.length / 2));
      }
    }
  }

  /** Breaks every watch, in the middle of a line if possible. Undelivered data is lost. */
  cut(): void {
    for (const watch of this.#watches) {
      const [text] = watch.pending;
      if (text) watch.put(Buffer.from(text).subarray(0, 20));
      watch.put(new ConnectionError('connection cut', 'It is a test.'));
    }
  }

  #tell(type: LoggedEvent['type'], object: Thing): void {
    this.log.push({ type, version: this.#version, object });
    for (const watch of this.#watches) watch.pending.push(line(type, object));
  }

  #list({ limit, continue: token }: Query): unknown {
    this.#fault();
    const [version, offset] = token === undefined ? [this.#version, 0] : String(token).split(':').map(Number);
    if (version! < this.#compacted) throw expired();
    const items = this.#at(version!);
    const end = limit === undefined ? items.length : Math.min(items.length, offset! + 2);
    const next = end < items.length ? { continue: `${version}:${end}` } : {};
    return { metadata: { resourceVersion: String(version), ...next }, items: items.slice(offset, end) };
  }

  /** The objects as they were at a version. */
  #at(version: number): Thing[] {
    const then = new Map<string, Thing>();
    for (const event of this.log) {
      if (event.version > version) break;
      const { name = '' } = event.object.metadata;
      if (event.type === 'DELETED') then.delete(name);
      else then.set(name, event.object);
    }
    return [...then.values()];
  }

  #watch({ resourceVersion, sendInitialEvents }: Query, signal: AbortSignal): AsyncIterable<Buffer> {
    this.#fault();
    if (!sendInitialEvents && Number(resourceVersion) < this.#compacted) throw expired();
    const chunks: (Buffer | Error)[] = [];
    const watch: OpenWatch = { pending: [], put: (chunk) => void chunks.push(chunk) };
    this.#watches.add(watch);
    if (sendInitialEvents) {
      const annotations = { 'k8s.io/initial-events-end': 'true' };
      const metadata = { resourceVersion: `${this.#version}`, annotations };
      for (const object of this.objects.values()) watch.pending.push(line('ADDED', object));
      watch.pending.push(line('BOOKMARK', { metadata }));
    } else {
      for (const { type, version, object } of this.log) {
        if (version > Number(resourceVersion)) watch.pending.push(line(type, object));
      }
    }
    return this.#stream(watch, chunks, signal);
  }

  async *#stream(watch: OpenWatch, chunks: (Buffer | Error)[], signal: AbortSignal): AsyncGenerator<Buffer> {
    let wake: (() => void) | undefined;
    watch.put = (chunk) => {
      chunks.push(chunk);
      wake?.();
    };
    const abort = (): void => watch.put(signal.reason as Error);
    signal.addEventListener('abort', abort, { once: true });
    try {
      for (;;) {
        const chunk = chunks.shift();
        if (chunk instanceof Error) throw chunk;
        if (chunk) yield chunk;
        else await new Promise<void>((resolve) => (wake = resolve));
      }
    } finally {
      this.#watches.delete(watch);
      signal.removeEventListener('abort', abort);
    }
  }

  #fault(): void {
    switch (this.faults.shift()) {
      case 'refused':
        throw new ConnectionError('connection refused', 'It is a test.');
      case 'busy':
        throw responseError(429, '');
      case 'broken':
        throw responseError(500, '');
      case 'expired':
        throw expired();
      case undefined:
    }
  }
}

function line(type: string, object: unknown): string {
  return `${JSON.stringify({ type, object })}\n`;
}

function expired(): ApiError {
  return responseError(410, '');
}
