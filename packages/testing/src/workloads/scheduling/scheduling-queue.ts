import { ReplicaSet, StatefulSet } from 'ots-kubernetes/apps/v1';
import {
  Namespace,
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  Service,
} from 'ots-kubernetes/core/v1';
import { PodDisruptionBudget } from 'ots-kubernetes/policy/v1';
import { StorageClass } from 'ots-kubernetes/storage/v1';
import type { Kind, KubernetesObject } from 'ots-kubernetes';
import {
  type Cache,
  type DeepReadonly,
  type EnqueueFunction,
  type HandlerRegistration,
  type Source,
  type SourceContext,
  keyOf,
} from 'ots-runtime';
import type { CachedNode } from '../nodes/cached-node.ts';
import type { CachedPod } from '../pods/pod-state.ts';
import { priorityOf } from './preemption.ts';

const schedulerName = 'default-scheduler';

/** Whether a pod waits for the scheduler. */
export function isWaiting({ metadata, spec }: CachedPod): boolean {
  return (
    !spec?.nodeName &&
    (spec?.schedulerName ?? schedulerName) === schedulerName &&
    (spec?.schedulingGates ?? []).length === 0 &&
    metadata.deletionTimestamp === undefined
  );
}

/**
 * Queues the pods without a node, those with a higher priority first, and again those that did not fit when something changes that may
 * help them: a node, a volume, a pod that goes. Unlike kube-scheduler it does not wait between the attempts.
 */
export class SchedulingQueue implements Source {
  readonly name = 'unscheduled pods';
  readonly #cache: Cache;
  readonly #unschedulable = new Map<string, CachedPod>();
  #enqueue: EnqueueFunction = () => {};

  constructor(cache: Cache) {
    this.#cache = cache;
    for (const kind of [
      Pod,
      Node,
      Namespace,
      PersistentVolume,
      PersistentVolumeClaim,
      PodDisruptionBudget,
      ReplicaSet,
      Service,
      StatefulSet,
      StorageClass,
    ])
      cache.add<KubernetesObject>(kind);
  }

  /** For the controller. */
  async start({ enqueue, signal }: SourceContext): Promise<void> {
    this.#enqueue = enqueue;
    const retry = (): void => this.retry();
    const registrations: HandlerRegistration[] = [
      this.#cache.informer(Pod).addHandler({
        added: (pod) => this.#add(pod),
        updated: (old, pod) => this.#update(old, pod),
        deleted: (pod) => {
          this.#unschedulable.delete(pod.metadata.uid!);
          if (pod.spec?.nodeName) retry();
        },
      }),
      this.#cache.informer(Node).addHandler({
        added: retry,
        updated: (old, node) => {
          if (hasChanged(old, node)) retry();
        },
        deleted: () => {},
      }),
      ...[PersistentVolume, PersistentVolumeClaim, StorageClass].map((kind: Kind) =>
        this.#cache.informer(kind).addHandler({ added: retry, updated: retry, deleted: () => {} }),
      ),
    ];
    const end = (): void => {
      for (const registration of registrations) registration[Symbol.dispose]();
    };
    signal.addEventListener('abort', end, { once: true });
    await Promise.all(registrations.map(({ synced }) => synced));
  }

  /** Remembers a pod that no node fits. */
  postpone(pod: CachedPod): void {
    this.#unschedulable.set(pod.metadata.uid!, pod);
  }

  /** Queues all pods that did not fit. */
  retry(): void {
    for (const pod of this.#unschedulable.values()) this.#enqueue(keyOf(pod), { priority: priorityOf(pod) });
    this.#unschedulable.clear();
  }

  #add(pod: CachedPod): void {
    if (isWaiting(pod)) this.#enqueue(keyOf(pod), { priority: priorityOf(pod) });
  }

  #update(old: CachedPod, pod: CachedPod): void {
    if (isWaiting(pod)) {
      // Its own condition is no reason to look again.
      if (old.metadata.generation !== pod.metadata.generation || !isWaiting(old)) this.#add(pod);
    } else if (!old.spec?.nodeName || isEnding(pod) !== isEnding(old) || labelsDiffer(old, pod)) {
      this.#unschedulable.delete(pod.metadata.uid!);
      this.retry();
    }
  }
}

function isEnding({ status }: CachedPod): boolean {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed';
}

/** What a decision depends on. Heartbeats are not. */
function hasChanged(old: CachedNode, node: CachedNode): boolean {
  return (
    labelsDiffer(old, node) ||
    JSON.stringify([old.spec, old.status?.allocatable]) !==
      JSON.stringify([node.spec, node.status?.allocatable])
  );
}

function labelsDiffer(a: DeepReadonly<KubernetesObject>, b: DeepReadonly<KubernetesObject>): boolean {
  return JSON.stringify(a.metadata.labels) !== JSON.stringify(b.metadata.labels);
}
