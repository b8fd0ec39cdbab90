import { AsyncLocalStorage } from 'node:async_hooks';
import type { Clock } from 'ots-apimachinery/clock/clock';
import { isSubdomain } from 'ots-apimachinery/names';
import { type Client, type DeepReadonly, type Logger, isNotFound } from 'ots-runtime';
import type { KubernetesObject } from 'ots-kubernetes';
import { Event } from 'ots-kubernetes/core/v1';
import type { EventSource } from './nodes/node-context.ts';
import { timeText } from './time-text.ts';
import { type Correlated, EventCorrelator, type EventMemory } from './event-correlator.ts';

/** What events are written with. */
export interface EventSinkOptions {
  /** Writes in the name of the component. */
  readonly client: Client;
  readonly clock: Clock;
  /** A number in [0, 1). */
  readonly random: () => number;
  readonly logger: Logger;
  readonly source: EventSource;
  /** That of the sink of the same component in another cluster, which this one continues. Default: none. */
  readonly memory?: SinkMemory | undefined;
}

/** What a component remembers of its events. */
export interface SinkMemory {
  readonly events: EventMemory;
  readonly lastNanoseconds: bigint;
}

/**
 * Records what happens to objects as events of core/v1, as the recorder of client-go does for the controllers and the kubelet: in
 * order, one write at a time. An event that cannot be written is lost, as in a cluster.
 */
export class EventSink {
  readonly #options: EventSinkOptions;
  readonly #correlator: EventCorrelator;
  /** An event outlives the reconcile that records it. */
  readonly #outsideOfReconciles = AsyncLocalStorage.snapshot();
  #lastWrite: Promise<void> = Promise.resolve();
  /** The time in the name of the last event. */
  #lastNanoseconds: bigint;

  constructor(options: EventSinkOptions) {
    this.#options = options;
    this.#correlator = new EventCorrelator(options.clock, options.memory?.events);
    this.#lastNanoseconds = options.memory?.lastNanoseconds ?? 0n;
  }

  get memory(): SinkMemory {
    return { events: this.#correlator.memory, lastNanoseconds: this.#lastNanoseconds };
  }

  /** Records an event and returns at once. @param fieldPath the part of the object that it is about. Default: all of it. */
  record(
    about: DeepReadonly<KubernetesObject>,
    type: 'Normal' | 'Warning',
    reason: string,
    message: string,
    fieldPath?: string,
  ): void {
    const correlated = this.#correlator.correlate(this.#eventOf(about, { type, reason, message }, fieldPath));
    if (!correlated) return;
    const before = this.#lastWrite;
    this.#lastWrite = this.#outsideOfReconciles(async () => {
      await before;
      await this.#write(correlated);
    });
  }

  /** Resolves when what was recorded is written. */
  async flush(): Promise<void> {
    for (let last; last !== this.#lastWrite;) await (last = this.#lastWrite);
  }

  #eventOf(
    about: DeepReadonly<KubernetesObject>,
    said: { type: string; reason: string; message: string },
    fieldPath: string | undefined,
  ): Event {
    const { apiVersion, kind, metadata } = about;
    const { name, namespace, uid, resourceVersion } = metadata;
    const { clock, source } = this.#options;
    const time = timeText(clock.epoch());
    return {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: this.#nameOf(name ?? ''), namespace: namespace ?? 'default' },
      involvedObject: {
        apiVersion,
        kind,
        ...(name !== undefined && { name }),
        ...(namespace !== undefined && { namespace }),
        ...(uid !== undefined && { uid }),
        ...(resourceVersion !== undefined && { resourceVersion }),
        ...(fieldPath !== undefined && { fieldPath }),
      },
      ...said,
      source,
      reportingComponent: source.component,
      reportingInstance: source.host ?? '',
      firstTimestamp: time,
      lastTimestamp: time,
      count: 1,
    };
  }

  /**
   * The time in nanoseconds makes a name unique; chance replaces what a clock of milliseconds lacks. Names are in the order of the
   * events, because kubectl shows events of one second in the order of their names.
   */
  #nameOf(about: string): string {
    const { clock, random } = this.#options;
    const time = BigInt(Math.trunc(clock.epoch())) * 1_000_000n + BigInt(Math.trunc(random() * 1e6));
    const nanoseconds = time > this.#lastNanoseconds ? time : this.#lastNanoseconds + 1n;
    this.#lastNanoseconds = nanoseconds;
    const name = `${about}.${nanoseconds.toString(16)}`;
    return isSubdomain(name) ? name : nanoseconds.toString(16);
  }

  async #write({ event, isRepeated }: Correlated): Promise<void> {
    try {
      if (!(isRepeated && (await this.#repeat(event)))) await this.#options.client.create(Event, event);
    } catch (err) {
      const { reason, involvedObject } = event;
      this.#options.logger.debug({ err, reason, involvedObject }, 'event not written');
    }
  }

  /** @returns false if the event has expired */
  async #repeat({ metadata, count, lastTimestamp, message }: Event): Promise<boolean> {
    const { name = '', namespace } = metadata;
    const changed = {
      count: count!,
      ...(lastTimestamp !== undefined && { lastTimestamp }),
      ...(message !== undefined && { message }),
    };
    try {
      await this.#options.client.patch(Event, { name, namespace }, changed, { type: 'strategic' });
      return true;
    } catch (error) {
      if (isNotFound(error)) return false;
      throw error;
    }
  }
}
