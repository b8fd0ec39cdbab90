import { type Client, isAlreadyExists, isNotFound } from 'ots-runtime';
import { Pod } from 'ots-kubernetes/core/v1';
import type { EventSink } from '../event-sink.ts';
import type { CachedPod } from '../pods/pod-state.ts';
import { ClaimControl } from './claim-control.ts';
import type { CachedSet } from './identity.ts';
import { hasStorage, repaired } from './stateful-pod.ts';

type Verb = 'Create' | 'Update' | 'Delete';

/** Creates, repairs and deletes the pods of StatefulSets with their claims, and records it as events of the set. */
export class StatefulPodControl {
  readonly #client: Client;
  readonly #events: EventSink;
  readonly #claims: ClaimControl;

  /** @param client reads from the cache and writes in the name of the controller */
  constructor(client: Client, events: EventSink) {
    this.#client = client;
    this.#events = events;
    this.#claims = new ClaimControl(client, events);
  }

  /** Creates a pod after its claims, unless a claim goes with the last pod of the name. */
  async create(set: CachedSet, pod: CachedPod): Promise<void> {
    if (await this.#claims.areStale(set, pod)) return;
    await this.#recorded('Create', set, pod, async () => {
      await this.#claims.create(set, pod);
      await this.#client.create(Pod, pod);
      await this.#claims.retain(set, pod);
    });
  }

  /** Creates the claims that a pod lacks. */
  async createClaims(set: CachedSet, pod: CachedPod): Promise<void> {
    await this.#claims.create(set, pod);
    await this.#claims.retain(set, pod);
  }

  /** Gives a pod the identity and the storage that it lacks, and its claims their owners. */
  async repair(set: CachedSet, pod: CachedPod): Promise<void> {
    const wanted = repaired(set, pod);
    const areRetained = await this.#claims.areRetained(set, pod);
    if (wanted === pod && areRetained) return;
    await this.#recorded('Update', set, pod, async () => {
      if (!hasStorage(set, pod)) await this.#claims.create(set, pod);
      if (!areRetained) await this.#claims.retain(set, pod);
      await this.#client.update(Pod, wanted);
    });
  }

  /** Gives the claims of a pod that will be deleted their owners. */
  async retainClaims(set: CachedSet, pod: CachedPod): Promise<void> {
    if (!(await this.#claims.areRetained(set, pod))) await this.#claims.retain(set, pod);
  }

  /** Deletes a pod. */
  async delete(set: CachedSet, pod: CachedPod): Promise<void> {
    const { name = '', namespace } = pod.metadata;
    await this.#recorded('Delete', set, pod, async () => {
      try {
        await this.#client.delete(Pod, { name, namespace });
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
    });
  }

  async #recorded(verb: Verb, set: CachedSet, pod: CachedPod, write: () => Promise<void>): Promise<void> {
    const what = `${verb} Pod ${pod.metadata.name} in StatefulSet ${set.metadata.name}`;
    try {
      await write();
    } catch (error) {
      if (!isAlreadyExists(error) && error instanceof Error)
        this.#events.record(set, 'Warning', `Failed${verb}`, `${what} failed error: ${error.message}`);
      throw error;
    }
    this.#events.record(set, 'Normal', `Successful${verb}`, `${what} successful`);
  }
}
