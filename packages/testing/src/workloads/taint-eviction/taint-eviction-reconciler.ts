import { Node, Pod, type Taint } from 'ots-kubernetes/core/v1';
import {
  type Client,
  type DeepReadonly,
  type Reconciler,
  type Request,
  type Result,
  isNotFound,
} from 'ots-runtime';
import type { EventSink } from '../event-sink.ts';
import type { CachedNode } from '../nodes/cached-node.ts';
import { toleratedSeconds } from '../nodes/taints.ts';
import type { CachedPod } from '../pods/pod-state.ts';
import { isDisrupted, withDisruption } from '../pods/with-disruption.ts';
import type { WorkloadContext } from '../workload-context.ts';

const disruption = {
  reason: 'DeletionByTaintManager',
  message: 'Taint manager: deleting due to NoExecute taint',
};

/** Deletes a pod when its tolerations of the taints of its node end. */
export class TaintEvictionReconciler implements Reconciler {
  readonly #context: WorkloadContext;
  readonly #client: Client;
  readonly #events: EventSink;
  /** When pods are to be deleted, in milliseconds since 1970, by their keys. */
  readonly #dueAt = new Map<string, number>();

  constructor(context: WorkloadContext) {
    this.#context = context;
    this.#client = context.clientOf('node-controller');
    this.#events = context.eventsOf('node-controller', 'taint-eviction-controller');
  }

  async reconcile(request: Request): Promise<Result> {
    const { cache } = this.#context.manager;
    const pod = cache.get(Pod, request);
    if (!pod) return this.#cancel(request);
    const node = cache.get(Node, { name: pod.spec?.nodeName ?? '' });
    const now = this.#context.clock.epoch();
    // What was decided stays when the node is deleted, or when taints or tolerations change.
    const dueAt = this.#dueAt.get(keyText(request));
    if (!node) return untilDue(dueAt, now);
    const taints = evictingTaints(node);
    if (taints.length === 0) return this.#cancel(request);
    const seconds = toleratedSeconds(taints, pod.spec?.tolerations);
    if (seconds === Infinity) return this.#cancel(request);
    if (seconds > 0 && (dueAt === undefined || dueAt > now)) {
      const due = dueAt ?? now + seconds * 1000;
      this.#dueAt.set(keyText(request), due);
      return untilDue(due, now);
    }
    if (dueAt !== undefined && dueAt > now) this.#cancel(request);
    await this.#evict(pod, request);
    return {};
  }

  #cancel(request: Request): Result {
    if (this.#dueAt.delete(keyText(request))) this.#record(request, 'Cancelling deletion of Pod');
    return {};
  }

  async #evict(pod: CachedPod, request: Request): Promise<void> {
    this.#dueAt.delete(keyText(request));
    this.#record(request, 'Marking for deletion Pod');
    const conditions = withDisruption(pod, disruption, this.#context.clock.epoch());
    try {
      if (!isDisrupted(pod, disruption))
        await this.#client.status.patch(Pod, request, { status: { conditions } }, { type: 'strategic' });
      await this.#client.delete(Pod, request);
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }

  #record({ name, namespace = '' }: Request, what: string): void {
    const about = { apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace } };
    this.#events.record(about, 'Normal', 'TaintManagerEviction', `${what} ${namespace}/${name}`);
  }
}

/** The taints of a node that evict pods. */
export function evictingTaints({ spec }: CachedNode): DeepReadonly<Taint>[] {
  return (spec?.taints ?? []).filter(({ effect }) => effect === 'NoExecute');
}

function keyText({ namespace, name }: Request): string {
  return `${namespace}/${name}`;
}

function untilDue(dueAt: number | undefined, now: number): Result {
  return dueAt === undefined ? {} : { requeueAfter: Math.max(1, dueAt - now) };
}
