import type { ServerResponse } from 'node:http';
import type { Machinery } from '../registry/machinery.ts';
import { apiVersionOf } from '../registry/resource.ts';
import type { Target } from '../registry/target.ts';
import { jsonOf } from '../registry/views.ts';
import { type WatchEvent, type WatchOptions, watchObjects } from '../registry/watch.ts';
import { StatusError } from '../status/status-error.ts';
import type { StreamingReply } from './reply.ts';
import { warningHeader } from './reply.ts';

/** How a watch is sent. */
export interface StreamOptions extends WatchOptions {
  /** Seconds until the server ends the watch. */
  timeoutSeconds: number;
  bookmarks: boolean;
  /** Milliseconds between two bookmarks. */
  bookmarkInterval: number;
  warnings: readonly string[];
}

/** Tells a client that it has seen all that existed. */
const initialEventsEnd = { 'k8s.io/initial-events-end': 'true' };

/** Bytes that may wait for a client before it counts as stuck and is cut off. */
const backlogLimit = 16 * 1024 * 1024;

/**
 * Sends the events of a watch, one JSON object a line, until the time is over, the resource changes or the client goes.
 * History that is gone is told by an ERROR event, as clients expect it.
 */
export function streamWatch(machinery: Machinery, target: Target, options: StreamOptions): StreamingReply {
  return (response) => {
    response.writeHead(200, {
      'Content-Type': 'application/json',
      'Cache-Control': 'no-cache, private',
      ...(options.warnings.length > 0 && { Warning: options.warnings.map(warningHeader) }),
    });
    response.flushHeaders();
    new WatchStream(machinery, target, options, response).start();
  };
}

class WatchStream {
  readonly #machinery: Machinery;
  readonly #target: Target;
  readonly #options: StreamOptions;
  readonly #response: ServerResponse;
  readonly #cleanups: (() => void)[] = [];

  constructor(machinery: Machinery, target: Target, options: StreamOptions, response: ServerResponse) {
    this.#machinery = machinery;
    this.#target = target;
    this.#options = options;
    this.#response = response;
  }

  start(): void {
    this.#response.on('close', () => this.#release());
    this.#response.on('error', () => this.#release());
    try {
      this.#cleanups.push(
        watchObjects(this.#machinery, this.#target, this.#options, (event) => this.#send(event)),
      );
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      this.#write(`{"type":"ERROR","object":${JSON.stringify(error.status)}}\n`);
      this.#end();
      return;
    }
    if (this.#options.bookmarks && this.#options.start === undefined) this.#bookmark(initialEventsEnd);
    this.#cleanups.push(this.#machinery.registry.whenReplaced(this.#target.resource, () => this.#end()));
    // A timer holds at most 31 bits of milliseconds: some 24 days.
    const timeout = setTimeout(
      () => this.#finish(),
      Math.min(this.#options.timeoutSeconds * 1000, 2 ** 31 - 1),
    );
    this.#cleanups.push(() => clearTimeout(timeout));
    if (!this.#options.bookmarks) return;
    const interval = setInterval(() => this.#bookmark(), this.#options.bookmarkInterval);
    this.#cleanups.push(() => clearInterval(interval));
  }

  #send({ type, record }: WatchEvent): void {
    this.#write(`{"type":"${type}","object":${jsonOf(this.#target.resource, record)}}\n`);
  }

  /** Tells how far the client has seen, so that it can resume from there even when nothing happened. */
  #bookmark(annotations?: Record<string, string>): void {
    const { resource } = this.#target;
    const metadata = { resourceVersion: `${this.#machinery.store.revision}`, annotations };
    const object = { kind: resource.kind, apiVersion: apiVersionOf(resource), metadata };
    this.#write(`${JSON.stringify({ type: 'BOOKMARK', object })}\n`);
  }

  #write(line: string): void {
    if (this.#response.destroyed || this.#response.writableEnded) return;
    this.#response.write(line);
    if (this.#response.writableLength > backlogLimit) this.#response.destroy();
  }

  #finish(): void {
    if (this.#options.bookmarks) this.#bookmark();
    this.#end();
  }

  #end(): void {
    this.#release();
    this.#response.end();
  }

  #release(): void {
    for (const cleanup of this.#cleanups.splice(0)) cleanup();
  }
}
