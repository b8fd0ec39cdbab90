import { hostname } from 'node:os';
import { isQualifiedName } from 'ots-apimachinery/names';
import type { KubernetesObject } from 'ots-kubernetes';
import type { Event } from 'ots-kubernetes/events/v1';
import type { Clock } from 'ots-apimachinery/clock/clock';
import { KeyedLimit } from 'ots-apimachinery/clock/keyed-limit';
import { microTime } from '../clock/micro-time.ts';
import { currentWork } from '../context/work-context.ts';
import { UsageError } from '../errors/usage-error.ts';
import type { DeepReadonly } from '../objects/deep-readonly.ts';
import type { EventDetails } from './event-details.ts';
import { eventName } from './event-name.ts';
import type { DropReason } from './event-observer.ts';
import { EventSeries } from './event-series.ts';
import { EventWriter, type EventWriterOptions } from './event-writer.ts';
import { objectReference, referenceKey } from './object-reference.ts';

export interface EventRecorderOptions extends EventWriterOptions {
  /** What `kubectl describe` shows as the source: the name of the controller, a qualified name. */
  controller: string;
  /** Tells replicas apart; the controller and the name of the host by default. */
  instance?: string | undefined;
}

/** As in client-go, an event that repeats within this time, in milliseconds, adds to the count of the first. */
const seriesEnd = 360_000;
/** As in client-go, a continuing series is written this often, in milliseconds, to keep it from expiring. */
const refreshInterval = 1_800_000;
/** How often to look for series that ended, in milliseconds. */
const sweepInterval = 60_000;
/** As in client-go, how many events to remember for repetitions. */
const capacity = 4096;

// The limits of the API server: pkg/apis/core/validation/events.go of Kubernetes.
const maxInstanceBytes = 128;
const maxWordBytes = 128;
const maxNoteBytes = 1024;

/**
 * Tells users what happens to their objects, through events that `kubectl describe` shows.
 *
 * Events are for people and are written on a best-effort basis: `event` returns at once, never throws, and works on
 * every replica. An event that repeats within six minutes adds to the count of the first. Each object can have a burst
 * of 25 different events, and then one more every five minutes. Up to 1,000 events wait for a slow server, and are
 * retried with growing delays. Events of a namespace that is being deleted are dropped.
 */
export class EventRecorder {
  readonly #options: EventRecorderOptions;
  readonly #instance: string;
  readonly #writer: EventWriter;
  readonly #spam: SpamFilter;
  readonly #series = new Map<string, EventSeries>();
  #sweep: unknown;
  #isStopped = false;

  /**
   * @throws {UsageError} if events cannot have this controller name.
   * @internal
   */
  constructor(options: EventRecorderOptions) {
    const { controller, clock } = options;
    if (!isQualifiedName(controller)) {
      throw new UsageError(
        `${JSON.stringify(controller)} cannot be the reporting controller of events`,
        'Use at most 63 letters, digits, "-", "_" and ".", optionally after a domain and a slash.',
      );
    }
    this.#options = options;
    this.#instance = cutBytes(options.instance ?? `${controller}-${hostname()}`, maxInstanceBytes);
    this.#writer = new EventWriter(options);
    this.#spam = new SpamFilter(clock);
  }

  /**
   * Records what happened to the object, in its namespace (`default` for cluster-scoped objects). Returns at once and
   * never throws: an event that cannot be written is logged or counted, and does not stop the work that it is about.
   * @param regarding the object, as it was read; needs a kind and a name.
   */
  event(regarding: DeepReadonly<KubernetesObject>, details: EventDetails): void {
    try {
      this.#record(regarding, details);
    } catch (error) {
      this.#options.logger.warn({ err: error }, 'event not recorded');
    }
  }

  /**
   * Writes the remaining events and resolves when that is done; drops the rest when the signal aborts. Later events are
   * also dropped. For the manager.
   * @internal
   */
  async stop(signal: AbortSignal): Promise<void> {
    this.#isStopped = true;
    this.#options.clock.clearTimeout(this.#sweep);
    for (const series of this.#series.values()) this.#finish(series);
    this.#series.clear();
    await this.#writer.flush(signal);
  }

  #record(regarding: DeepReadonly<KubernetesObject>, details: EventDetails): void {
    if (this.#isStopped) return this.#drop('stopped');
    const event = this.#eventOf(regarding, details);
    if (!event) return;
    const series = this.#seriesOf(event);
    const { apiVersion, kind, namespace, name } = event.regarding!;
    const { type, reason } = details;
    currentWork()?.announced?.({ type, reason, apiVersion, kind, namespace, name, event: series?.key });
  }

  /** The series that the event starts or continues; undefined if it is dropped. */
  #seriesOf(event: Event): EventSeries | undefined {
    const { clock } = this.#options;
    const key = seriesKey(event);
    const now = clock.now();
    const known = this.#series.get(key);
    if (known && now - known.seenAt < seriesEnd) {
      known.repeat(now, clock.epoch());
      // The first repetition makes it a series; later ones are written from time to time.
      if (known.count === 2) this.#write(known);
      return known;
    }
    if (!this.#spam.admits(referenceKey(event.regarding))) {
      this.#drop('spam');
      return undefined;
    }
    if (known) this.#finish(known);
    this.#series.delete(key);
    const series = new EventSeries(event, now);
    if (!this.#write(series)) return undefined;
    this.#series.set(key, series);
    if (this.#series.size > capacity) this.#forgetOldest();
    this.#sweep ??= clock.setTimeout(() => this.#sweepSeries(), sweepInterval);
    return series;
  }

  #eventOf(regarding: DeepReadonly<KubernetesObject>, details: EventDetails): Event | undefined {
    const { type, reason, action, note, related } = details;
    const reference = objectReference(regarding);
    if (!reference || !reason || !action || (type !== 'Normal' && type !== 'Warning')) {
      this.#drop('invalid');
      const hint = 'It needs an object with apiVersion, kind and name, a type, a reason and an action.';
      // Does not log the object: without a kind and a name it may be anything, including a Secret.
      const { apiVersion, kind, metadata } = regarding;
      const object = { apiVersion, kind, namespace: metadata.namespace, name: metadata.name };
      this.#options.logger.warn({ object, type, reason, action, hint }, 'an event is not complete');
      return undefined;
    }
    const relatedReference = related && objectReference(related);
    return {
      apiVersion: 'events.k8s.io/v1',
      kind: 'Event',
      metadata: {
        name: eventName(reference.name ?? '', this.#options.random),
        namespace: reference.namespace ?? 'default',
      },
      eventTime: microTime(this.#options.clock.epoch()),
      reportingController: this.#options.controller,
      reportingInstance: this.#instance,
      type,
      reason: cutBytes(reason, maxWordBytes),
      action: cutBytes(action, maxWordBytes),
      note: cutBytes(note, maxNoteBytes),
      regarding: reference,
      ...(relatedReference && { related: relatedReference }),
    };
  }

  #sweepSeries(): void {
    const now = this.#options.clock.now();
    for (const [key, series] of this.#series) {
      if (now - series.seenAt >= seriesEnd) {
        this.#finish(series);
        this.#series.delete(key);
      } else if (series.count > 1 && now - series.writtenAt >= refreshInterval) {
        this.#write(series);
      }
    }
    this.#sweep =
      this.#series.size > 0
        ? this.#options.clock.setTimeout(() => this.#sweepSeries(), sweepInterval)
        : undefined;
  }

  #forgetOldest(): void {
    const [key, series] = this.#series.entries().next().value!;
    this.#finish(series);
    this.#series.delete(key);
  }

  /** Writes the last count of a series that has ended. */
  #finish(series: EventSeries): void {
    if (series.isBehind) this.#write(series);
  }

  #write(series: EventSeries): boolean {
    const taken = this.#writer.write(series);
    if (!taken) this.#drop('full');
    return taken;
  }

  #drop(reason: DropReason): void {
    this.#options.observer?.dropped(reason);
  }
}

/** Ignores the note: it may contain times and numbers that differ every time. */
function seriesKey({ type, reason, action, regarding, related }: Event): string {
  return JSON.stringify([type, reason, action, referenceKey(regarding), referenceKey(related)]);
}

const ellipsis = '…';

/** The text, truncated at the end of a character to at most `limit` bytes of UTF-8, including the ellipsis. */
export function cutBytes(text: string, limit: number): string {
  if (Buffer.byteLength(text) <= limit) return text;
  const room = limit - Buffer.byteLength(ellipsis);
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(room));
  return text.slice(0, read) + ellipsis;
}

/**
 * Keeps a runaway operator from filling etcd with events. As in client-go, each object can have a burst of 25 events and
 * then one more every five minutes; 4,096 objects are remembered.
 */
export class SpamFilter extends KeyedLimit {
  constructor(clock: Clock) {
    super(clock, { burst: 25, interval: 300_000, capacity: 4096 });
  }
}
