import type { ServerResponse } from 'node:http';
import type { ApiObject } from '../objects/api-object.ts';
import type { Machinery } from '../registry/machinery.ts';
import { apiVersionOf } from '../registry/resource.ts';
import type { Target } from '../registry/target.ts';
import { jsonOf, viewOf } from '../registry/views.ts';
import { ObjectWatch, type WatchEvent, type WatchOptions } from '../registry/watch.ts';
import { StatusError } from '../status/status-error.ts';
import type { StreamingReply } from './reply.ts';
import { warningHeaders } from './reply.ts';

/** How a watch is sent. */
export interface StreamOptions extends WatchOptions {
  /** Seconds until the server ends the watch; below zero it ends at once. */
  timeoutSeconds: number;
  bookmarks: boolean;
  /** Milliseconds between two bookmarks. */
  bookmarkInterval: number;
  warnings: readonly string[];
  /** Gives the JSON text of an object in another form, such as a table. */
  present?: (object: ApiObject, json: () => string) => string;
}

/** Tells a client that it has seen all that existed. */
const initialEventsEnd = { 'k8s.io/initial-events-end': 'true' };

/** Characters that are written at once. */
const batchSize = 64 * 1024;

/** Milliseconds before its end at which a watch tells how far it has come. */
const lastBookmark = 2000;

/** The longest time of a timer: it holds 31 bits of milliseconds, some 24 days. */
const longestTimer = 2 ** 31 - 1;

/**
 * Sends the events of a watch, one JSON object a line, until the time is over, the resource changes or the client goes.
 * History that is gone is told by an ERROR event, as clients expect it. A client that reads slowly is waited for until the
 * history that it still needs is forgotten; then it is cut off.
 */
export function streamWatch(machinery: Machinery, target: Target, options: StreamOptions): StreamingReply {
  return (response) => {
    response.writeHead(200, {
      'Content-Type': 'application/json',
      'Cache-Control': 'no-cache, private',
      ...(options.warnings.length > 0 && { Warning: warningHeaders(options.warnings) }),
    });
    response.flushHeaders();
    void new WatchStream(machinery, target, options, response).start();
  };
}

class WatchStream {
  readonly #machinery: Machinery;
  readonly #target: Target;
  readonly #options: StreamOptions;
  readonly #response: ServerResponse;
  readonly #cleanups: (() => void)[] = [];
  #watch: ObjectWatch | undefined;
  /** Whether the client has to read first. */
  #isBlocked = false;
  /** Whether what happened in this turn of the event loop is to be sent at its end. */
  #isScheduled = false;

  constructor(machinery: Machinery, target: Target, options: StreamOptions, response: ServerResponse) {
    this.#machinery = machinery;
    this.#target = target;
    this.#options = options;
    this.#response = response;
  }

  async start(): Promise<void> {
    const { timeoutSeconds, bookmarks, bookmarkInterval } = this.#options;
    if (timeoutSeconds < 0) {
      this.#end();
      return;
    }
    this.#response.on('close', () => this.#release());
    this.#response.on('error', () => this.#release());
    this.#response.on('drain', () => {
      this.#isBlocked = false;
      this.#pump();
    });
    await this.#machinery.store.reached(this.#options.notBefore);
    if (this.#response.destroyed) return;
    try {
      this.#watch = new ObjectWatch(this.#machinery, this.#target, this.#options);
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      this.#response.write(`{"type":"ERROR","object":${JSON.stringify(error.status)}}\n`);
      this.#end();
      return;
    }
    this.#cleanups.push(
      this.#watch.onChange(({ record }) => this.#schedule(record.revision)),
      this.#machinery.registry.whenReplaced(this.#target.resource, () => this.#end()),
    );
    const milliseconds = Math.min(timeoutSeconds * 1000, longestTimer);
    this.#after(milliseconds, () => this.#end());
    if (bookmarks) {
      if (milliseconds > lastBookmark) this.#after(milliseconds - lastBookmark, () => this.#bookmark());
      const interval = setInterval(() => this.#bookmark(), bookmarkInterval);
      this.#cleanups.push(() => clearInterval(interval));
    }
    this.#pump();
  }

  #after(milliseconds: number, act: () => void): void {
    const timer = setTimeout(act, milliseconds);
    this.#cleanups.push(() => clearTimeout(timer));
  }

  /** Changes of one turn go out together. One that waits for its client looks at the history when that has read. */
  #schedule(revision: number): void {
    if (this.#isBlocked) {
      if (this.#watch?.isLost) this.#response.destroy();
      return;
    }
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    // All that came before was told, or was none of this watch.
    this.#watch?.advance(revision - 1);
    setImmediate(() => {
      this.#isScheduled = false;
      this.#pump();
    });
  }

  #pump(): void {
    const watch = this.#watch;
    if (!watch) return;
    while (!this.#isBlocked && !this.#response.destroyed && !this.#response.writableEnded) {
      const wasInitial = watch.isInitial;
      let batch = '';
      let event = watch.next();
      for (; event; event = batch.length < batchSize ? watch.next() : undefined) batch += this.#lineOf(event);
      const isInitialEnd = wasInitial && !watch.isInitial;
      if (isInitialEnd && this.#options.bookmarks) batch += this.#bookmarkLine(watch, initialEventsEnd);
      if (batch === '') break;
      this.#isBlocked = !this.#response.write(batch);
    }
    if (watch.isLost) this.#response.destroy();
  }

  #lineOf({ type, record }: WatchEvent): string {
    const { resource } = this.#target;
    const { present } = this.#options;
    const json = () => jsonOf(resource, record);
    return `{"type":"${type}","object":${present ? present(viewOf(resource, record), json) : json()}}\n`;
  }

  /** Tells how far the client has seen, so that it can resume from there even when nothing happened. */
  #bookmark(): void {
    const watch = this.#watch;
    const { revision } = this.#machinery.store;
    // Not while it lags behind, and not before a start that is still to come.
    if (!watch || this.#isBlocked || this.#isScheduled || watch.position > revision) return;
    watch.advance(revision);
    this.#isBlocked = !this.#response.write(this.#bookmarkLine(watch));
  }

  #bookmarkLine(watch: ObjectWatch, annotations?: Record<string, string>): string {
    const { resource } = this.#target;
    const metadata = { resourceVersion: `${watch.position}`, ...(annotations && { annotations }) };
    const object = { kind: resource.kind, apiVersion: apiVersionOf(resource), metadata };
    const { present } = this.#options;
    const json = () => JSON.stringify(object);
    return `{"type":"BOOKMARK","object":${present ? present(object, json) : json()}}\n`;
  }

  #end(): void {
    this.#release();
    this.#response.end();
  }

  #release(): void {
    this.#watch = undefined;
    for (const cleanup of this.#cleanups.splice(0)) cleanup();
  }
}
