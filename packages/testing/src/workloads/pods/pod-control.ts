import { type Client, type DeepReadonly, isApiError, isNotFound } from 'ots-runtime';
import type { KubernetesObject } from 'ots-kubernetes';
import { Pod } from 'ots-kubernetes/core/v1';
import type { EventSink } from '../event-sink.ts';
import type { CachedPod } from './pod-state.ts';

/** Creates and deletes the pods of controllers, and records it as events of the owner. */
export class PodControl {
  readonly #client: Client;
  readonly #events: EventSink;

  /** @param client writes in the name of the controller */
  constructor(client: Client, events: EventSink) {
    this.#client = client;
    this.#events = events;
  }

  /**
   * Creates a pod.
   *
   * @param owner what the events are about
   * @returns undefined if the namespace is being deleted: nothing can be created there
   */
  async create(pod: CachedPod, owner: DeepReadonly<KubernetesObject>): Promise<Pod | undefined> {
    let created: Pod;
    try {
      created = await this.#client.create(Pod, pod);
    } catch (error) {
      if (isNamespaceTerminating(error)) return undefined;
      if (isApiError(error))
        this.#events.record(owner, 'Warning', 'FailedCreate', `Error creating: ${error.message}`);
      throw error;
    }
    this.#events.record(owner, 'Normal', 'SuccessfulCreate', `Created pod: ${created.metadata.name}`);
    return created;
  }

  /** Deletes a pod, unless it is deleted already. @param owner what the events are about */
  async delete(
    { metadata: { name = '', namespace } }: CachedPod,
    owner: DeepReadonly<KubernetesObject>,
  ): Promise<void> {
    try {
      await this.#client.delete(Pod, { name, namespace });
    } catch (error) {
      if (isNotFound(error)) return;
      if (isApiError(error))
        this.#events.record(owner, 'Warning', 'FailedDelete', `Error deleting: ${error.message}`);
      throw error;
    }
    this.#events.record(owner, 'Normal', 'SuccessfulDelete', `Deleted pod: ${name}`);
  }
}

/** Whether the server refused to create an object because its namespace is being deleted. */
export function isNamespaceTerminating(error: unknown): boolean {
  return (
    isApiError(error) && (error.details?.causes ?? []).some(({ reason }) => reason === 'NamespaceTerminating')
  );
}
