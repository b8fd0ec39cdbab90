import { Event } from 'ots-kubernetes/events/v1';
import { type Client, isApiError, isNotFound } from 'ots-runtime';
import type { Clock } from 'ots-apimachinery/clock/clock';
import type { CachedPod } from '../pods/pod-state.ts';
import { microTimeText } from '../time-text.ts';

/** What happened to a pod. */
export interface SchedulerEvent {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly action: string;
  readonly note: string;
  /** What else it is about. */
  readonly related?: CachedPod;
}

const reporter = 'default-scheduler';
/** Kubernetes appends the name of the host. */
const instance = `${reporter}-ots`;

/** Records what the scheduler does with pods as events of events.k8s.io/v1, as kube-scheduler does. */
export class SchedulerEvents {
  readonly #client: Client;
  readonly #clock: Clock;
  /** By what is the same in all events of a series. */
  readonly #series = new Map<string, { name: string; isRepeated: boolean }>();
  #count = 0;

  constructor(client: Client, clock: Clock) {
    this.#client = client;
    this.#clock = clock;
  }

  /** Records an event. A second one makes a series of it, later ones change nothing. An event that the server refuses is lost. */
  async record(pod: CachedPod, event: SchedulerEvent): Promise<void> {
    try {
      await this.#write(pod, event);
    } catch (error) {
      if (!isApiError(error)) throw error;
    }
  }

  async #write(pod: CachedPod, event: SchedulerEvent): Promise<void> {
    const { namespace, uid, resourceVersion } = pod.metadata;
    const key = [event.reason, uid, resourceVersion, event.related?.metadata.uid].join('\n');
    const series = this.#series.get(key);
    if (series?.isRepeated) return;
    if (!series) {
      const created = await this.#create(pod, event);
      this.#series.set(key, { name: created.metadata.name!, isRepeated: false });
      return;
    }
    series.isRepeated = true;
    const lastObservedTime = microTimeText(this.#clock.epoch());
    const patch = { series: { count: 2, lastObservedTime } };
    await this.#client.patch(Event, { name: series.name, namespace }, patch).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
      this.#series.delete(key);
    });
  }

  #create(pod: CachedPod, { type, reason, action, note, related }: SchedulerEvent): Promise<Event> {
    const epoch = this.#clock.epoch();
    const { name, namespace } = pod.metadata;
    this.#count += 1;
    const suffix = (BigInt(Math.trunc(epoch)) * 1_000_000n + BigInt(this.#count)).toString(16);
    return this.#client.create(Event, {
      apiVersion: 'events.k8s.io/v1',
      kind: 'Event',
      metadata: { name: `${name}.${suffix}`, namespace: namespace! },
      eventTime: microTimeText(epoch),
      reportingController: reporter,
      reportingInstance: instance,
      type,
      reason,
      action,
      note: truncated(note),
      regarding: referenceTo(pod),
      ...(related && { related: referenceTo(related) }),
    });
  }
}

const maxNoteLength = 1024;

function truncated(note: string): string {
  return note.length <= maxNoteLength ? note : `${note.slice(0, maxNoteLength - 4)} ...`;
}

function referenceTo({ metadata: { name = '', namespace = '', uid = '', resourceVersion = '' } }: CachedPod) {
  return { apiVersion: 'v1', kind: 'Pod', name, namespace, uid, resourceVersion };
}
