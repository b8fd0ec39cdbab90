import type { KubernetesObject } from 'ots-kubernetes';
import type { Clock } from 'ots-apimachinery/clock/clock';
import { sleep } from 'ots-apimachinery/clock/sleep';
import { eitherSignal } from 'ots-apimachinery/signals/either-signal';
import { isApiError, isExpired, isForbidden, isNotFound } from '../errors/api-error.ts';
import type { Logger } from '../logging/logger.ts';
import { Backoff } from './backoff.ts';
import { FailureLog } from './failure-log.ts';
import { followWatch } from './follow-watch.ts';
import type { InformerObserver } from './informer-observer.ts';
import { InitialEvents } from './initial-events.ts';
import { listAll } from './list-all.ts';
import type { ListWatcher } from './list-watcher.ts';
import { type ReflectorFailure, ReflectorHealth } from './reflector-health.ts';
import type { ReflectorOptions, ReflectorSink } from './reflector-options.ts';
import {
  type ReflectorState,
  type WatchState,
  firstState,
  isStreamHopeless,
  stateAfter,
} from './reflector-state.ts';
import { isOlder } from './resource-version.ts';
import { StreamDeadline } from './stream-deadline.ts';
import type { WatchEvent } from './watch-events.ts';
import { asksForList, failureWord, hasDeliveredNothing } from './watch-failure.ts';

/** Watches last 5 to 10 minutes, spread so that they do not all end together. In seconds. */
const minWatchSeconds = 300;
/** Bookmarks arrive about every minute: a watch that has them and is silent for longer is dead. */
const bookmarkSilence = 90_000;
/** A server that asks for a longer wait, or whose clock is wrong, would blind the cache. */
const maxRetryAfterMs = 60_000;
/** How often to check for a missing kind or permission, in milliseconds. */
const grantPoll = 10_000;

const silentObserver: InformerObserver = {
  synced: () => {},
  objects: () => {},
  idle: () => {},
  heard: () => {},
  restarted: () => {},
  relisted: () => {},
  closed: () => {},
};

/**
 * Mirrors one collection into a sink while it runs, whatever the server and the network do. It lists, watches from
 * there, resumes from the last event after a watch breaks, and lists again only if the server cannot resume from that
 * version.
 *
 * When the server expires a watch that worked, the mirrored state may be from before a restore of etcd, and controllers act on
 * it: it lists at once. client-go waits 0.8 to 1.6 s. Where caches list at different times, controllers of one cluster work
 * against each other meanwhile, and with a virtual clock without end, since that time does not pass.
 *
 * The first list requests the newest state, not that of the server's cache (`resourceVersion=0`, which client-go uses):
 * it never shows a state from before a restart of this program, and its pages bound the memory that a large list takes
 * here. Since Kubernetes 1.31 the server still serves it from its cache, once that is fresh.
 */
export class Reflector<T extends KubernetesObject> {
  readonly #source: ListWatcher<T>;
  readonly #sink: ReflectorSink<T>;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #observer: InformerObserver;
  readonly #random: () => number;
  readonly #backoff: Backoff;
  readonly #health: ReflectorHealth;
  readonly #failureLog: FailureLog;
  readonly #streamDeadline: StreamDeadline;
  #state: ReflectorState;
  #streams: boolean;
  #bookmarksSeen = false;
  #absentSince: number | undefined;
  #lists = 0;
  /** Ends what it does now, to list again. */
  #restart = new AbortController();

  constructor(options: ReflectorOptions<T>) {
    this.#source = options.source;
    this.#sink = options.sink;
    this.#clock = options.clock;
    this.#logger = options.logger;
    this.#observer = options.observer ?? silentObserver;
    this.#random = options.random ?? Math.random;
    this.#backoff = new Backoff({ clock: options.clock, random: this.#random });
    this.#health = new ReflectorHealth(options.clock);
    this.#failureLog = new FailureLog(options.source, options.logger, options.selected);
    this.#streamDeadline = new StreamDeadline(options.clock);
    this.#streams = options.watchList ?? false;
    this.#state = firstState(this.#streams);
  }

  /** Why lists or watches fail; undefined while they work. */
  get failure(): ReflectorFailure | undefined {
    return this.#health.failure;
  }

  /** Runs until the signal aborts. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const step = eitherSignal(signal, this.#restart.signal);
      try {
        await this.#step(step.signal);
      } catch (error) {
        if (!step.signal.aborted) await this.#recover(error, step.signal);
      } finally {
        step.dispose();
      }
    }
  }

  /** Lists again at once: the source selects other objects than before. */
  relist(): void {
    this.#state = firstState(this.#streams);
    this.#restart.abort(new Error('the selection has changed'));
    this.#restart = new AbortController();
  }

  #step(signal: AbortSignal): Promise<void> {
    const state = this.#state;
    if (state.phase === 'list') return this.#list(state.paged, signal);
    if (state.phase === 'stream') return this.#stream(signal);
    return this.#watch(state, signal);
  }

  async #list(paged: boolean, signal: AbortSignal): Promise<void> {
    const { objects, resourceVersion } = await listAll(
      {
        source: this.#source,
        paged,
        clock: this.#clock,
        prepare: (object) => this.#sink.prepare(object),
        heard: () => this.#observer.heard(),
      },
      signal,
    );
    // It may have aborted since the last page was read.
    signal.throwIfAborted();
    await this.#replace(objects, resourceVersion);
  }

  async #stream(signal: AbortSignal): Promise<void> {
    const tooSlow = new AbortController();
    const forward = (): void => tooSlow.abort(signal.reason);
    signal.addEventListener('abort', forward, { once: true });
    const begin = (): void => this.#streamDeadline.start((error) => tooSlow.abort(error));
    try {
      await this.#collect(begin, tooSlow.signal);
    } finally {
      this.#streamDeadline.stop();
      signal.removeEventListener('abort', forward);
    }
  }

  /** Collects the initial events separately and continues as a watch when they are complete. */
  async #collect(begin: () => void, signal: AbortSignal): Promise<void> {
    const initial = new InitialEvents<T>((object) => this.#sink.prepare(object));
    let watching: WatchState | undefined;
    await this.#follow({ sendInitialEvents: true }, signal, begin, async (event) => {
      if (watching) return this.#take(event, watching);
      this.#observer.heard();
      if (event.type !== 'BOOKMARK' && !this.#source.selects(event.object)) return;
      const objects = initial.take(event);
      if (!objects) return;
      this.#streamDeadline.met();
      this.#bookmarksSeen = true;
      watching = await this.#replace(objects, event.object.metadata.resourceVersion!);
    });
  }

  async #watch(state: WatchState, signal: AbortSignal): Promise<void> {
    const { resourceVersion } = state;
    await this.#follow({ resourceVersion }, signal, undefined, (event) => this.#take(event, state));
  }

  async #follow(
    from: { resourceVersion: string } | { sendInitialEvents: true },
    signal: AbortSignal,
    opened: (() => void) | undefined,
    take: (event: WatchEvent<T>) => void | Promise<void>,
  ): Promise<void> {
    const timeoutSeconds = Math.round(minWatchSeconds * (1 + this.#random()));
    await followWatch<T>(
      {
        source: this.#source,
        query: { ...from, timeoutSeconds },
        clock: this.#clock,
        opened: () => {
          this.#health.opened();
          this.#failureLog.opened();
          opened?.();
        },
        maxSilenceMs: () => (this.#bookmarksSeen ? bookmarkSilence : (timeoutSeconds + 5) * 1000),
        take,
      },
      signal,
    );
    this.#health.ended();
  }

  #take({ type, object }: WatchEvent<T>, state: WatchState): void {
    this.#health.heard();
    this.#observer.heard();
    const resourceVersion = object.metadata.resourceVersion!;
    // From an older version, the next watch would repeat known events and reset objects to previous states.
    const isOld = isOlder(resourceVersion, state.resourceVersion);
    if (type === 'BOOKMARK') {
      this.#bookmarksSeen = true;
      if (!isOld) this.#sink.reached(resourceVersion);
    } else if (!this.#source.selects(object)) {
      if (!isOld) this.#sink.reached(resourceVersion);
    } else {
      this.#health.delivered();
      this.#sink.changed(type, this.#sink.prepare(object));
    }
    // Only after the sink has the event: if the sink failed, the event would be lost.
    if (!isOld) state.resourceVersion = resourceVersion;
  }

  async #replace(objects: T[], resourceVersion: string): Promise<WatchState> {
    this.#health.heard();
    this.#absentSince = undefined;
    if (this.#lists > 0) this.#observer.relisted();
    this.#lists += 1;
    const state: WatchState = { phase: 'watch', resourceVersion };
    this.#state = state;
    await this.#sink.replaced(objects, resourceVersion);
    return state;
  }

  async #recover(error: unknown, signal: AbortSignal): Promise<void> {
    const now = this.#clock.now();
    const isFirst = this.failure === undefined;
    const hasLostTrack = this.#health.isWatching && isExpired(error);
    const { since } = this.#health.failed(error);
    const wasWatching = this.#state.phase === 'watch';
    if (wasWatching) this.#observer.restarted(failureWord(error));
    if (this.#state.phase === 'stream' && isStreamHopeless(error)) {
      this.#streams = false;
      this.#logger.info(
        { kind: this.#source.kind.kind },
        'streaming the initial state failed; listing it from now on',
      );
    }
    this.#state = stateAfter(this.#state, error, { streams: this.#streams, age: now - since });
    // Otherwise a server that sends no bookmarks after all would be listed every 90 s.
    if (hasDeliveredNothing(error)) this.#bookmarksSeen = false;
    const isAbsent = !wasWatching && isNotFound(error);
    this.#absentSince = isAbsent ? (this.#absentSince ?? now) : undefined;
    if (this.#absentSince !== undefined) await this.#sink.absent(now - this.#absentSince, signal);
    const asked = isApiError(error) ? Math.min(error.retryAfter ?? 0, maxRetryAfterMs) : 0;
    const backoff = asksForList(error) ? 0 : this.#backoffAfter(hasLostTrack);
    const delay = Math.max(Math.min(backoff, isAbsent || isForbidden(error) ? grantPoll : Infinity), asked);
    this.#failureLog.failed({ error, isFirst, isAbsent, next: this.#state.phase, delay });
    this.#sink.failed();
    if (signal.aborted) return;
    if (delay > 0) await sleep(this.#clock, delay, signal);
  }

  #backoffAfter(hasLostTrack: boolean): number {
    return hasLostTrack ? this.#backoff.nextAfterSuccess() : this.#backoff.next();
  }
}
