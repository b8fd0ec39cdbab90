import type { Clock } from 'ots-apimachinery/clock/clock';
import { type Client, type DeepReadonly, isApiError } from 'ots-runtime';
import type { KubernetesObject } from 'ots-kubernetes';
import { Event } from 'ots-kubernetes/core/v1';

/** Records what happens to objects as events of core/v1, as the controllers and the kubelet of Kubernetes do. */
export class EventSink {
  readonly #client: Client;
  readonly #clock: Clock;
  readonly #component: string;
  /** The events that a repetition counts up, by what they say. */
  readonly #written = new Map<string, Promise<Event | undefined>>();

  /** @param component the source of the events */
  constructor(client: Client, clock: Clock, component: string) {
    this.#client = client;
    this.#clock = clock;
    this.#component = component;
  }

  /** Records an event in order with the others about the same object. An event that cannot be written is lost, as in a cluster. */
  record(
    about: DeepReadonly<KubernetesObject>,
    type: 'Normal' | 'Warning',
    reason: string,
    message: string,
  ): void {
    const key = [about.metadata.uid, type, reason, message].join('\n');
    const previous = this.#written.get(key);
    const next = previous
      ? previous.then((event) => event && this.#repeat(event))
      : this.#create(about, { type, reason, message });
    this.#written.set(
      key,
      next.catch((error: unknown) => {
        if (!isApiError(error)) throw error;
        return undefined;
      }),
    );
  }

  #create(
    about: DeepReadonly<KubernetesObject>,
    said: { type: string; reason: string; message: string },
  ): Promise<Event> {
    const { apiVersion, kind, metadata } = about;
    const { name, namespace, uid, resourceVersion } = metadata;
    const epoch = this.#clock.epoch();
    const time = timeOf(epoch);
    return this.#client.create(Event, {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: {
        name: `${name}.${(BigInt(Math.trunc(epoch)) * 1_000_000n + BigInt(this.#written.size)).toString(16)}`,
        namespace: namespace ?? 'default',
      },
      involvedObject: {
        apiVersion,
        kind,
        ...(name !== undefined && { name }),
        ...(namespace !== undefined && { namespace }),
        ...(uid !== undefined && { uid }),
        ...(resourceVersion !== undefined && { resourceVersion }),
      },
      ...said,
      source: { component: this.#component },
      firstTimestamp: time,
      lastTimestamp: time,
      count: 1,
    });
  }

  #repeat({ metadata, count = 1 }: Event): Promise<Event> {
    const { name = '', namespace } = metadata;
    return this.#client.patch(
      Event,
      { name, ...(namespace !== undefined && { namespace }) },
      { count: count + 1, lastTimestamp: timeOf(this.#clock.epoch()) },
    );
  }
}

function timeOf(epoch: number): string {
  return `${new Date(epoch).toISOString().slice(0, 19)}Z`;
}
