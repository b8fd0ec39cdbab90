import type { HttpResponse } from './http-message.ts';
import type { ApiObject } from '../json/api-object.ts';
import type { Machinery } from '../registry/machinery.ts';
import { apiVersionOf } from '../registry/resource.ts';
import type { Target } from '../registry/target.ts';
import { jsonOf, viewOf } from '../registry/views.ts';
import { ObjectWatch, type WatchEvent, type WatchOptions } from '../watch/object-watch.ts';
import type { OpenWatch } from '../faults/open-watch.ts';
import { expired, replaced } from '../status/errors.ts';
import { StatusError } from '../status/status-error.ts';
import { type EventSink, LineSink } from './event-sink.ts';
import type { StreamingReply } from './reply.ts';
import { warningHeaders } from './reply.ts';

/** How to send a watch. */
export interface StreamOptions extends WatchOptions {
  /** Seconds until the server ends the watch; a negative value ends it at once. */
  timeoutSeconds: number;
  bookmarks: boolean;
  /** Milliseconds between two bookmarks. */
  bookmarkInterval: number;
  warnings: readonly string[];
  /** Called when the watch is open. It returns a function to be called when the watch has ended. */
  opened: (watch: OpenWatch) => () => void;
  /** Converts the JSON text of an object to another form, such as a table. */
  present?: (object: ApiObject, json: () => string) => string;
}

/** Tells a client that it has received all initial objects. */
const initialEventsEnd = { 'k8s.io/initial-events-end': 'true' };

/** The number of characters written at once. */
const batchSize = 64 * 1024;

/** How many milliseconds before its end a watch sends its last bookmark. */
const lastBookmark = 2000;

/**
 * How long a watch waits for a conversion webhook that fails, and between its attempts, in milliseconds. A real server tries
 * for as long before it ends the watch.
 */
const maxConversionMs = 30_000;
const conversionRetryMs = 100;

/**
 * Sends the events of a watch, one JSON object per line or message, until the timeout, a change of the resource,
 * or the end of the connection. Reports lost history as an ERROR event, as clients expect. Ends the watch of a
 * client that reads too slowly, like kube-apiserver, while the history still lets the client resume.
 */
export function streamWatch(machinery: Machinery, target: Target, options: StreamOptions): StreamingReply {
  const toSink = (sink: EventSink) => void new WatchStream(machinery, target, options, sink).start();
  const reply = (response: HttpResponse) => {
    response.writeHead(200, {
      'Content-Type': 'application/json',
      'Cache-Control': 'no-cache, private',
      ...(options.warnings.length > 0 && { Warning: warningHeaders(options.warnings) }),
    });
    response.flushHeaders();
    toSink(new LineSink(response));
  };
  return Object.assign(reply, { toSink });
}

class WatchStream implements OpenWatch {
  readonly #machinery: Machinery;
  readonly #target: Target;
  readonly #options: StreamOptions;
  readonly #cleanups: (() => void)[] = [];
  readonly #timers = new Set<unknown>();
  #sink: EventSink;
  #watch: ObjectWatch | undefined;
  /** Whether the client must read first. */
  #isBlocked = false;
  /** Whether a flush is scheduled for the end of this turn of the event loop. */
  #isScheduled = false;
  /** Whether a webhook converts the next objects. */
  #isConverting = false;
  /** When the conversions that fail began to fail, in milliseconds. */
  #failingSince: number | undefined;

  constructor(machinery: Machinery, target: Target, options: StreamOptions, sink: EventSink) {
    this.#machinery = machinery;
    this.#target = target;
    this.#options = options;
    this.#sink = sink;
  }

  async start(): Promise<void> {
    const { timeoutSeconds, bookmarks, bookmarkInterval } = this.#options;
    if (timeoutSeconds < 0) {
      this.#end();
      return;
    }
    const drained = () => {
      this.#isBlocked = false;
      this.#pump();
    };
    this.#sink.listen(drained, () => this.#release());
    await this.#machinery.store.reached(this.#options.notBefore);
    if (this.#sink.isClosed) return;
    try {
      this.#watch = new ObjectWatch(this.#machinery, this.#target, this.#options);
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      this.#endWith(error);
      return;
    }
    this.#cleanups.push(
      this.#watch.onChange(({ record }) => this.#schedule(record.revision)),
      this.#machinery.registry.whenReplaced(this.#target.resource, () => this.#end()),
    );
    const milliseconds = timeoutSeconds * 1000;
    this.#after(milliseconds, () => this.#end());
    if (bookmarks) {
      if (milliseconds > lastBookmark) this.#after(milliseconds - lastBookmark, () => this.#bookmark());
      this.#every(bookmarkInterval, () => this.#bookmark());
    }
    const tooOld = replaced('The resourceVersion for the provided watch is too old.');
    this.#cleanups.push(this.#machinery.store.whenClosed(() => this.#endAfterChanges(tooOld)));
    if (!this.#watch) return;
    const closed = this.#options.opened(this);
    this.#cleanups.push(closed);
    // A fault may have ended the watch at once.
    if (!this.#watch) this.#release();
    this.#pump();
  }

  get position(): number {
    return this.#watch?.position ?? 0;
  }

  intercept(wrap: (sink: EventSink) => EventSink): void {
    this.#sink = wrap(this.#sink);
  }

  drop(): void {
    this.#release();
    this.#sink.destroy();
  }

  expire(message: string): void {
    this.#endAfterChanges(expired(message));
  }

  /** Sends what has happened so far. What comes next is not a continuation of it, so the client has to list again. */
  #endAfterChanges(error: StatusError): void {
    this.#pump();
    if (this.#watch) this.#endWith(error);
  }

  #after(milliseconds: number, act: () => void): void {
    const timer = this.#machinery.clock.setTimeout(() => {
      this.#timers.delete(timer);
      act();
    }, milliseconds);
    this.#timers.add(timer);
  }

  #every(milliseconds: number, act: () => void): void {
    this.#after(milliseconds, () => {
      this.#every(milliseconds, act);
      act();
    });
  }

  /** Sends all changes of a turn together. A blocked stream continues from the history when the client has read. */
  #schedule(revision: number): void {
    if (this.#isWaiting) {
      if (this.#watch?.isFarBehind) this.#end();
      return;
    }
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    // Everything before was delivered, or does not concern this watch.
    this.#watch?.advance(revision - 1);
    setImmediate(() => {
      this.#isScheduled = false;
      this.#pump();
    });
  }

  /** Whether the client has to read, or a webhook to convert, before there is more to send. */
  get #isWaiting(): boolean {
    return this.#isBlocked || this.#isConverting;
  }

  #pump(): void {
    const watch = this.#watch;
    if (!watch) return;
    const sink = this.#sink;
    while (!this.#isWaiting && !sink.isClosed) {
      const wasInitial = watch.isInitial;
      let event = watch.next();
      for (; event; event = sink.size < batchSize ? watch.next() : undefined) {
        if (event instanceof Promise) {
          void this.#awaitConversion(event);
          break;
        }
        sink.add(this.#textOf(event));
      }
      const isInitialEnd = wasInitial && !watch.isInitial;
      if (isInitialEnd && this.#options.bookmarks) sink.add(this.#bookmarkText(watch, initialEventsEnd));
      if (sink.size === 0) break;
      this.#isBlocked = !sink.flush();
    }
    if (watch.isLost) this.#end();
  }

  /** Continues when a webhook has converted the next objects. As long as the webhook fails, it is asked again. */
  async #awaitConversion(conversion: Promise<void>): Promise<void> {
    this.#isConverting = true;
    try {
      await conversion;
      this.#failingSince = undefined;
    } catch {
      if (!this.#watch) return;
      const now = this.#machinery.clock.now();
      this.#failingSince ??= now;
      if (now - this.#failingSince > maxConversionMs) this.#end();
      else this.#after(conversionRetryMs, () => this.#continue());
      return;
    }
    this.#continue();
  }

  #continue(): void {
    this.#isConverting = false;
    this.#pump();
  }

  #textOf({ type, record }: WatchEvent): string {
    const { resource } = this.#target;
    const { present } = this.#options;
    const json = () => jsonOf(resource, record);
    return `{"type":"${type}","object":${present ? present(viewOf(resource, record), json) : json()}}`;
  }

  /** Tells the client how far it has seen, so it can resume there even if nothing happened. */
  #bookmark(): void {
    const watch = this.#watch;
    const { revision } = this.#machinery.store;
    // Not while the watch lags behind, and not before a start in the future.
    if (!watch || this.#isWaiting || this.#isScheduled || watch.position > revision) return;
    watch.advance(revision);
    this.#sink.add(this.#bookmarkText(watch));
    this.#isBlocked = !this.#sink.flush();
  }

  #bookmarkText(watch: ObjectWatch, annotations?: Record<string, string>): string {
    const { resource } = this.#target;
    const metadata = { resourceVersion: `${watch.position}`, ...(annotations && { annotations }) };
    const object = { kind: resource.kind, apiVersion: apiVersionOf(resource), metadata };
    const { present } = this.#options;
    const json = () => JSON.stringify(object);
    return `{"type":"BOOKMARK","object":${present ? present(object, json) : json()}}`;
  }

  #endWith({ status }: StatusError): void {
    this.#sink.add(`{"type":"ERROR","object":${JSON.stringify(status)}}`);
    this.#sink.flush();
    this.#end();
  }

  #end(): void {
    this.#release();
    this.#sink.end();
  }

  #release(): void {
    this.#watch = undefined;
    for (const cleanup of this.#cleanups.splice(0)) cleanup();
    for (const timer of this.#timers) this.#machinery.clock.clearTimeout(timer);
    this.#timers.clear();
  }
}
