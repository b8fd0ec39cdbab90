import { Pod, type PodCondition, type PodStatus } from 'ots-kubernetes/core/v1';
import { type Client, isConflict, isNotFound, keyOf } from 'ots-runtime';
import type { CachedPod } from '../pods/pod-state.ts';

/** The fields that a kubelet writes. */
type OwnStatus = PodStatus & { readonly conditions: PodCondition[] };

/** The conditions that a kubelet removes when it does not report them. */
const ownTypes: ReadonlySet<string> = new Set(['PodScheduled', 'Initialized', 'Ready', 'ContainersReady']);

/** The last write of a status. */
export interface StatusMemory {
  readonly written: OwnStatus | undefined;
  readonly stored: string | undefined;
}

/** Writes the status of one pod: what differs from the last write, and from what others made of it. */
export class StatusWriter {
  readonly #client: Client;
  #written: OwnStatus | undefined;
  /** What the server made of the last write. */
  #stored: string | undefined;
  /** Is compared at every probe, so what does not change is kept: the last write as text, and the last pod that still had it. */
  #writtenText: string | undefined;
  #unchanged: CachedPod | undefined;

  /**
   * @param client writes in the name of the kubelet
   * @param memory that of an earlier writer. Default: nothing was written.
   */
  constructor(client: Client, memory?: StatusMemory) {
    this.#client = client;
    this.#written = memory?.written;
    this.#stored = memory?.stored;
    this.#writtenText = JSON.stringify(memory?.written);
  }

  get memory(): StatusMemory {
    return { written: this.#written, stored: this.#stored };
  }

  /** The conditions of the last write. */
  get conditions(): readonly PodCondition[] {
    return this.#written?.conditions ?? [];
  }

  /** Writes a status, unless it is what the server has. A pod that is gone needs none. */
  async write(pod: CachedPod, status: OwnStatus): Promise<void> {
    const text = JSON.stringify(status);
    if (text === this.#writtenText && this.isUnchanged(pod)) return;
    try {
      const patched = await this.#client.status.patch(Pod, keyOf(pod), patchOf(pod, status), {
        type: 'strategic',
      });
      this.#written = status;
      this.#writtenText = text;
      this.#stored = this.#ownPart(patched);
      this.#unchanged = undefined;
    } catch (error) {
      if (!isNotFound(error) && !isConflict(error)) throw error;
    }
  }

  /** Whether a pod still has what was written. */
  isUnchanged(pod: CachedPod): boolean {
    if (this.#unchanged === pod) return true;
    const isUnchanged = this.#written !== undefined && this.#ownPart(pod) === this.#stored;
    if (isUnchanged) this.#unchanged = pod;
    return isUnchanged;
  }

  #ownPart({ status }: CachedPod): string {
    const have: Readonly<Record<string, unknown>> = { ...status };
    const fields = Object.keys(this.#written!).filter((field) => field !== 'conditions');
    const types = this.conditions.map(({ type }) => type);
    const conditions = status?.conditions?.filter(({ type }) => types.includes(type));
    return JSON.stringify([...fields.map((field) => have[field]), conditions]);
  }
}

/** A strategic merge patch, as the kubelet sends it: its uid keeps it from another pod with the same name. */
function patchOf(pod: CachedPod, status: OwnStatus): object {
  const old: Readonly<Record<string, unknown>> = { ...pod.status };
  const changed = Object.entries(status).filter(
    ([field, value]) => field !== 'conditions' && JSON.stringify(old[field]) !== JSON.stringify(value),
  );
  return {
    metadata: { uid: pod.metadata.uid },
    status: { ...Object.fromEntries(changed), ...conditionsPatch(pod, status.conditions) },
  };
}

function conditionsPatch(pod: CachedPod, conditions: readonly PodCondition[]): object {
  const types = conditions.map(({ type }) => type);
  const others = (pod.status?.conditions ?? [])
    .map(({ type }) => type)
    .filter((type) => !types.includes(type));
  const gone = others.filter((type) => ownTypes.has(type));
  const order = [...others.filter((type) => !ownTypes.has(type)), ...types];
  // A strategic merge patch cannot have two empty lists.
  if (gone.length + order.length === 0) return {};
  return {
    '$setElementOrder/conditions': order.map((type) => ({ type })),
    conditions: [
      ...gone.map((type) => ({ $patch: 'delete', type })),
      // A reason or message that is not there any more is removed.
      ...conditions.map((condition) => ({ reason: null, message: null, ...condition })),
    ],
  };
}
