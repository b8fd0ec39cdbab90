import type { KubernetesObject } from 'ots-kubernetes';
import { isApiError, isExpired } from '../client/api-error.ts';
import type { Clock } from '../clock/clock.ts';
import { sleep } from '../clock/sleep.ts';
import { errorMessage } from '../errors/error-message.ts';
import type { Logger } from '../logging/logger.ts';
import { ConnectionError } from '../transport/connection-error.ts';
import { Backoff } from './backoff.ts';
import { IdleTimer } from './idle-timer.ts';
import type { ListWatcher } from './list-watcher.ts';
import { type WatchEvent, watchEvents } from './watch-events.ts';

/** Where a reflector puts what it learns. */
export interface ReflectorSink<T> {
  /** The whole state, after every list. */
  replaced(objects: T[]): void;
  /** One event of the watch that follows. */
  changed(type: 'ADDED' | 'MODIFIED' | 'DELETED', object: T): void;
}

export interface ReflectorOptions<T extends KubernetesObject> {
  source: ListWatcher<T>;
  sink: ReflectorSink<T>;
  clock: Clock;
  logger: Logger;
  /** A number in [0, 1); `Math.random` by default. */
  random?: () => number;
}

type State =
  | { phase: 'list'; paged: boolean }
  | { phase: 'watch'; /** Of the last event, bookmarks included. */ resourceVersion: string };

const pageSize = 500;
/** The server ends a watch after 5 to 10 minutes, spread so that watches do not all end together. */
const shortestWatch = 300;
/** Bookmarks come about every minute: a watch that has them and is quiet for longer has died silently. */
const bookmarkSilence = 90_000;
/** A watch that ends sooner counts as a failure: reconnecting at once again and again would be a hot loop. */
const suspiciouslyShort = 1000;

/**
 * Mirrors one collection into a sink for as long as it runs, whatever the server and the network do: lists, watches
 * from there, watches on from the last event when a watch breaks, and lists again only when the server has forgotten
 * that version.
 */
export class Reflector<T extends KubernetesObject> {
  readonly #source: ListWatcher<T>;
  readonly #sink: ReflectorSink<T>;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #random: () => number;
  readonly #backoff: Backoff;
  #state: State = { phase: 'list', paged: true };
  #bookmarksSeen = false;
  #lastError: unknown;

  constructor(options: ReflectorOptions<T>) {
    this.#source = options.source;
    this.#sink = options.sink;
    this.#clock = options.clock;
    this.#logger = options.logger;
    this.#random = options.random ?? Math.random;
    this.#backoff = new Backoff({ clock: options.clock, random: this.#random });
  }

  /** Why the last list or watch failed; undefined once one has worked again. */
  get lastError(): unknown {
    return this.#lastError;
  }

  /** Runs until the signal aborts. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await this.#step(signal);
      } catch (error) {
        if (signal.aborted) return;
        await this.#recover(error, signal);
      }
    }
  }

  async #step(signal: AbortSignal): Promise<void> {
    if (this.#state.phase === 'list') await this.#list(this.#state.paged, signal);
    else await this.#watch(this.#state, signal);
  }

  async #list(paged: boolean, signal: AbortSignal): Promise<void> {
    const objects: T[] = [];
    let token: string | undefined;
    let resourceVersion: string;
    do {
      const page = await this.#source.list({ ...(paged && { limit: pageSize }), continue: token }, signal);
      for (const item of page.items) objects.push(item);
      token = page.metadata.continue || undefined;
      resourceVersion = page.metadata.resourceVersion;
    } while (token !== undefined);
    signal.throwIfAborted();
    this.#lastError = undefined;
    this.#state = { phase: 'watch', resourceVersion };
    this.#sink.replaced(objects);
  }

  async #watch(state: State & { phase: 'watch' }, signal: AbortSignal): Promise<void> {
    const timeoutSeconds = Math.round(shortestWatch * (1 + this.#random()));
    const abandoned = new AbortController();
    const forward = (): void => abandoned.abort(signal.reason);
    signal.addEventListener('abort', forward, { once: true });
    const silence = new IdleTimer(this.#clock, () => abandoned.abort(silentWatch()));
    const startedAt = this.#clock.now();
    try {
      const query = { resourceVersion: state.resourceVersion, timeoutSeconds };
      const stream = await this.#source.watch(query, abandoned.signal);
      const patience = (): number => (this.#bookmarksSeen ? bookmarkSilence : (timeoutSeconds + 5) * 1000);
      silence.start(patience());
      for await (const event of watchEvents<T>(silence.watching(stream))) {
        this.#take(event, state);
        silence.start(patience());
      }
    } finally {
      silence.stop();
      signal.removeEventListener('abort', forward);
    }
    if (this.#clock.now() - startedAt < suspiciouslyShort) throw shortWatch();
  }

  #take({ type, object }: WatchEvent<T>, state: State & { phase: 'watch' }): void {
    this.#lastError = undefined;
    state.resourceVersion = object.metadata.resourceVersion ?? state.resourceVersion;
    if (type === 'BOOKMARK') this.#bookmarksSeen = true;
    else this.#sink.changed(type, object);
  }

  async #recover(error: unknown, signal: AbortSignal): Promise<void> {
    this.#lastError = error;
    this.#state = this.#stateAfter(error);
    const asked = isApiError(error) ? (error.retryAfter ?? 0) : 0;
    const delay = Math.max(this.#backoff.next(), asked);
    this.#logger.warn(
      {
        kind: this.#source.kind.kind,
        namespace: this.#source.namespace,
        reason: errorMessage(error),
        next: this.#state.phase,
        delay: Math.round(delay),
      },
      'watching was interrupted and will go on',
    );
    await sleep(this.#clock, delay, signal);
  }

  #stateAfter(error: unknown): State {
    const state = this.#state;
    // A page token that expired would expire again: the next list asks for everything at once.
    if (isExpired(error)) return { phase: 'list', paged: state.phase === 'watch' };
    if (state.phase === 'list') return state;
    // Refused for good, as when the CRD is gone or access was revoked: what was mirrored may be wrong by now.
    const refused = isApiError(error) && error.status >= 400 && error.status < 500 && error.status !== 429;
    return refused ? { phase: 'list', paged: true } : state;
  }
}

function silentWatch(): ConnectionError {
  return new ConnectionError('the watch has been silent for too long', 'It is opened again by itself.');
}

function shortWatch(): ConnectionError {
  return new ConnectionError('the server ended the watch at once', 'It is opened again by itself.');
}
