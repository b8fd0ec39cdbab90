import { Event } from 'ots-kubernetes/events/v1';
import { type ApiError, isAlreadyExists, isApiError, isNotFound } from '../errors/api-error.ts';
import type { Client } from '../client/client.ts';
import type { Clock } from 'ots-apimachinery/clock/clock';
import { sleep } from 'ots-apimachinery/clock/sleep';
import { runInContext } from '../context/work-context.ts';
import { UsageError } from '../errors/usage-error.ts';
import type { Logger } from '../logging/logger.ts';
import { isKnownOutage } from '../transport/reachability.ts';
import type { DropReason, EventObserver } from './event-observer.ts';
import type { EventSeries } from './event-series.ts';

/** As in client-go, further events are dropped. */
const maxQueueLength = 1000;
/** As in client-go, a series that fails this often is dropped. */
const maxAttempts = 12;
const firstDelay = 1000;
const maxDelayMs = 10_000;
/** The minimum time between two equal log lines, in milliseconds. */
const quietTime = 60_000;

export interface EventWriterOptions {
  /** Writes to the API server. */
  client: Pick<Client, 'create' | 'patch'>;
  clock: Clock;
  /** A number in [0, 1), for names and jitter; unpredictable by default. */
  random?: (() => number) | undefined;
  logger: Logger;
  observer?: EventObserver | undefined;
}

/** Writes events one after another: a slow or failing server delays only them. */
export class EventWriter {
  readonly #client: Pick<Client, 'create' | 'patch'>;
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #logger: Logger;
  readonly #observer: EventObserver | undefined;
  readonly #waiting = new Set<EventSeries>();
  readonly #abort = new AbortController();
  #run: Promise<void> | undefined;
  #complainedAt = Number.NEGATIVE_INFINITY;

  constructor({ client, clock, random = Math.random, logger, observer }: EventWriterOptions) {
    this.#client = client;
    this.#clock = clock;
    this.#random = random;
    this.#logger = logger;
    this.#observer = observer;
  }

  /** Writes the series after those before it. Returns false when too many are waiting. */
  write(series: EventSeries): boolean {
    if (this.#waiting.size >= maxQueueLength && !this.#waiting.has(series)) return false;
    this.#waiting.add(series);
    // Outside of the reconcile that may have recorded the event: the end of the reconcile must not end this.
    this.#run ??= runInContext({}, () => this.#writeAll());
    return true;
  }

  /** Resolves when no event is waiting, at the latest when the signal aborts, which drops waiting events. */
  async flush(signal: AbortSignal): Promise<void> {
    const giveUp = (): void => this.#abort.abort();
    signal.addEventListener('abort', giveUp, { once: true });
    if (signal.aborted) giveUp();
    try {
      await this.#run;
    } finally {
      signal.removeEventListener('abort', giveUp);
    }
  }

  async #writeAll(): Promise<void> {
    // Events that come in one turn of the event loop become one request for each series.
    await Promise.resolve();
    for (const series of this.#waiting) {
      // Do this first: a repetition during the write must be written again.
      this.#waiting.delete(series);
      if (series.isBehind) await this.#deliver(series);
    }
    this.#run = undefined;
  }

  async #deliver(series: EventSeries): Promise<void> {
    const { signal } = this.#abort;
    for (let tries = 1; !signal.aborted; tries += 1) {
      const { count } = series;
      try {
        await this.#send(series);
        series.wrote(count, this.#clock.now());
        this.#observer?.written();
        return;
      } catch (error) {
        if (signal.aborted) break;
        if (tries >= maxAttempts || !isTransient(error)) return this.#refused(series, error);
        await sleep(this.#clock, delayAfter(tries, error, this.#random()), signal);
      }
    }
    this.#drop(series, 'stopped');
  }

  async #send(series: EventSeries): Promise<void> {
    const { signal } = this.#abort;
    if (series.exists) {
      try {
        await this.#client.patch(Event, series.key, series.toPatch(), { signal });
        return;
      } catch (error) {
        // The server keeps events for an hour: the series continues in a new event.
        if (!isNotFound(error)) throw error;
      }
    }
    try {
      await this.#client.create(Event, series.toEvent(), { signal });
    } catch (error) {
      // The response to an earlier attempt was lost.
      if (!isAlreadyExists(error)) throw error;
    }
  }

  #refused(series: EventSeries, error: unknown): void {
    this.#drop(series, 'refused');
    const isDue = this.#clock.now() - this.#complainedAt >= quietTime;
    // Events of a namespace that is being deleted cannot be written.
    if (!isDue || isNamespaceGone(error) || isKnownOutage(error)) return;
    this.#complainedAt = this.#clock.now();
    const { reason, regarding } = series.toEvent();
    this.#logger.warn(
      { reason, kind: regarding?.kind, namespace: regarding?.namespace, name: regarding?.name, err: error },
      'event not written',
    );
  }

  #drop(series: EventSeries, reason: DropReason): void {
    series.giveUp();
    this.#observer?.dropped(reason);
  }
}

function isTransient(error: unknown): boolean {
  if (isApiError(error)) return error.status === 429 || error.status >= 500;
  return !(error instanceof UsageError);
}

/** Returns the delay that the server asks for, or one that doubles, with a quarter of jitter to spread many operators. */
function delayAfter(tries: number, error: unknown, random: number): number {
  const delay = Math.min(firstDelay * 2 ** (tries - 1), maxDelayMs) * (1 + random / 4);
  return Math.max(delay, (error as Partial<ApiError>).retryAfter ?? 0);
}

function isNamespaceGone(error: unknown): boolean {
  if (isNotFound(error)) return error.details?.kind === 'namespaces';
  return (
    isApiError(error) && (error.details?.causes ?? []).some(({ reason }) => reason === 'NamespaceTerminating')
  );
}
