import { Node, Pod } from 'ots-kubernetes/core/v1';
import { type Client, type Reconciler, type Request, type Result, isNotFound, keyOf } from 'ots-runtime';
import type { CachedNode } from '../nodes/cached-node.ts';
import { readiness } from '../nodes/node-state.ts';
import { attemptAll } from '../pods/attempt-all.ts';
import { type CachedPod, isPodTerminal } from '../pods/pod-state.ts';
import { type Disruption, withDisruption } from '../pods/with-disruption.ts';
import type { WorkloadContext } from '../workload-context.ts';
import { endedPods, excessPods, maxEndedPods } from './ended-pods.ts';

/** How long a node must be missing, in milliseconds, as in kube-controller-manager. */
const quarantine = 40_000;
/** When to delete a pod again that a finalizer keeps, in milliseconds: kube-controller-manager looks at all pods so often. */
const period = 20_000;
const outOfService = 'node.kubernetes.io/out-of-service';
const orphaned: Disruption = { reason: 'DeletionByPodGC', message: 'PodGC: node no longer exists' };

/**
 * Deletes a pod that no kubelet ends: because its node is gone or out of service, or because it has none. Of the pods that have ended
 * it keeps the newest. kube-controller-manager looks every 20 s, this one also when something changes.
 */
export class PodGarbageReconciler implements Reconciler {
  readonly #context: WorkloadContext;
  readonly #client: Client;
  /** Since when nodes are missing, in milliseconds since 1970. */
  readonly #missingSince = new Map<string, number>();

  constructor(context: WorkloadContext) {
    this.#context = context;
    this.#client = context.clientOf('pod-garbage-collector');
  }

  async reconcile(request: Request): Promise<Result> {
    const { cache } = this.#context.manager;
    const pod = cache.get(Pod, request);
    if (!pod) return {};
    if (isPodTerminal(pod)) {
      const excess = excessPods(endedPods(cache), maxEndedPods);
      await attemptAll(excess, (ended) => this.#delete(ended));
    }
    const nodeName = pod.spec?.nodeName;
    const isDeleted = pod.metadata.deletionTimestamp !== undefined;
    if (!nodeName) {
      return isDeleted ? this.#end(pod) : {};
    }
    const node = cache.get(Node, { name: nodeName });
    if (!node) return this.#endOrphan(pod, nodeName);
    return isDeleted && isOutOfService(node) ? this.#end(pod) : {};
  }

  /** A node is there, perhaps again. */
  found(node: CachedNode): void {
    this.#missingSince.delete(node.metadata.name!);
  }

  async #endOrphan(pod: CachedPod, nodeName: string): Promise<Result> {
    const now = this.#context.clock.epoch();
    const since = this.#missingSince.get(nodeName) ?? now;
    this.#missingSince.set(nodeName, since);
    if (now - since < quarantine) return { requeueAfter: since + quarantine - now };
    // The cache may be late.
    if (!(await this.#context.manager.apiReader.get(Node, { name: nodeName })))
      await this.#end(pod, orphaned);
    return {};
  }

  /** Marks a pod as failed, because no kubelet does, and deletes it. */
  async #end(pod: CachedPod, disruption?: Disruption): Promise<Result> {
    if (!isPodTerminal(pod)) {
      const now = this.#context.clock.epoch();
      const status = {
        phase: 'Failed' as const,
        observedGeneration: pod.metadata.generation!,
        ...(disruption && { conditions: withDisruption(pod, disruption, now) }),
      };
      try {
        await this.#client.status.patch(Pod, keyOf(pod), { status }, { type: 'strategic' });
      } catch (error) {
        if (isNotFound(error)) return {};
        throw error;
      }
    }
    await this.#delete(pod);
    return { requeueAfter: period };
  }

  async #delete(pod: CachedPod): Promise<void> {
    try {
      await this.#client.delete(Pod, keyOf(pod), { gracePeriodSeconds: 0 });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }
}

/** Whether a pod may be garbage on its node. Most pods never are. @param node undefined if it does not exist, or is not known yet */
export function mayBeGarbage(pod: CachedPod, node: CachedNode | undefined): boolean {
  const isDeleted = pod.metadata.deletionTimestamp !== undefined;
  if (isPodTerminal(pod)) return true;
  if (!pod.spec?.nodeName) return isDeleted;
  return !node || (isDeleted && isOutOfService(node));
}

function isOutOfService(node: CachedNode): boolean {
  return (node.spec?.taints ?? []).some(({ key }) => key === outOfService) && readiness(node) !== 'True';
}
