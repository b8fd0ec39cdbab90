import type { Clock } from 'ots-apimachinery/clock/clock';
import { KeyedLimit, type LimitMemory } from 'ots-apimachinery/clock/keyed-limit';
import type { Event } from 'ots-kubernetes/core/v1';

/** As in client-go: what is remembered of each kind. */
const capacity = 4096;
/** As in client-go: of so many events about an object that differ by the message only, the last ones are combined. */
const maxSimilar = 10;
/** As in client-go, in milliseconds: events that are further apart are not similar. */
const similarWithinMs = 600_000;

/** Events about the same object with the same reason. */
interface Similar {
  readonly messages: Set<string>;
  lastAt: number;
}

/** What is remembered of the events so far. */
export interface EventMemory {
  readonly similar: ReadonlyMap<string, { readonly messages: ReadonlySet<string>; readonly lastAt: number }>;
  readonly seen: ReadonlyMap<string, Event>;
  readonly spam: LimitMemory;
}

/** What an event becomes among those before it. */
export interface Correlated {
  /** With the name, the first time and the count of its first occurrence. */
  readonly event: Event;
  /** Whether the event was recorded before: it changes the one that exists. */
  readonly isRepeated: boolean;
}

/** Keeps a source of events from filling the cluster, as the EventCorrelator of client-go does: it counts, combines and drops. */
export class EventCorrelator {
  readonly #clock: Clock;
  readonly #similar: Map<string, Similar>;
  /** The last occurrence of each event. */
  readonly #seen: Map<string, Event>;
  /** A burst of 25 events about an object, and then one every five minutes. */
  readonly #spam: KeyedLimit;

  /** @param memory that of an earlier one with the same clock. Default: none. */
  constructor(clock: Clock, memory?: EventMemory) {
    this.#clock = clock;
    this.#similar = copyOf(memory?.similar ?? new Map());
    this.#seen = new Map(memory?.seen);
    this.#spam = new KeyedLimit(clock, { burst: 25, interval: 300_000, capacity }, memory?.spam);
  }

  get memory(): EventMemory {
    return { similar: copyOf(this.#similar), seen: new Map(this.#seen), spam: this.#spam.memory };
  }

  /** @returns undefined for an event that is dropped */
  correlate(event: Event): Correlated | undefined {
    const similarKey = keyOf(event, event.reason);
    const isCombined = this.#isCombined(similarKey, event.message ?? '');
    const seenKey = isCombined ? similarKey : keyOf(event, event.reason, event.message);
    const counted = this.#count(seenKey, isCombined ? combined(event) : event);
    return this.#spam.admits(keyOf(event)) ? counted : undefined;
  }

  #isCombined(key: string, message: string): boolean {
    const now = this.#clock.now();
    const known = this.#similar.get(key);
    const isRecent = known !== undefined && now - known.lastAt <= similarWithinMs;
    const similar = isRecent ? known : { messages: new Set<string>(), lastAt: now };
    similar.messages.add(message);
    similar.lastAt = now;
    remember(this.#similar, key, similar);
    if (similar.messages.size < maxSimilar) return false;
    similar.messages.delete(message);
    return true;
  }

  #count(key: string, event: Event): Correlated {
    const before = this.#seen.get(key);
    const { name, namespace } = before?.metadata ?? event.metadata;
    const counted: Event = before
      ? {
          ...event,
          metadata: { ...event.metadata, name: name!, namespace: namespace! },
          ...(before.firstTimestamp !== undefined && { firstTimestamp: before.firstTimestamp }),
          count: (before.count ?? 1) + 1,
        }
      : event;
    remember(this.#seen, key, counted);
    return { event: counted, isRepeated: before !== undefined };
  }
}

function copyOf(similar: EventMemory['similar']): Map<string, Similar> {
  return new Map(
    [...similar].map(([key, { messages, lastAt }]) => [key, { messages: new Set(messages), lastAt }]),
  );
}

/** What a combined event has of the last one. client-go leaves out who reports it. */
function combined({ reportingComponent: _c, reportingInstance: _i, ...event }: Event): Event {
  return { ...event, message: `(combined from similar events): ${event.message}` };
}

function keyOf({ source, involvedObject, type }: Event, ...rest: (string | undefined)[]): string {
  const { kind, namespace, name, uid, apiVersion } = involvedObject;
  return JSON.stringify([source?.component, kind, namespace, name, uid, apiVersion, type, ...rest]);
}

/** Sets the newest entry of a map, which keeps the newest only. */
function remember<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key);
  map.set(key, value);
  if (map.size > capacity) map.delete(map.keys().next().value!);
}
