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
 * help them: a node, a volume, a pod that goes. Of equal pods, one stands for all: see {@link retryNext}. Unlike kube-scheduler it does
 * not wait between the attempts.
 */
export class SchedulingQueue implements Source {
  readonly name = 'unscheduled pods';
  readonly #cache: Cache;
  /** By UID, those first that have waited longest. */
  readonly #unschedulable = new Map<string, Postponed>();
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
          if (!pod.spec?.nodeName && !pod.status?.nominatedNodeName) return this.ended(pod);
          this.#unschedulable.delete(pod.metadata.uid!);
          this.retry();
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

  /** Notes that a pod is tried now: what happens from here on is a reason to try it again. */
  began(pod: CachedPod): void {
    const postponed = this.#unschedulable.get(pod.metadata.uid!);
    if (postponed) postponed.isQueued = false;
  }

  /** Notes that a pod has a place, or needs none: it does not wait any more, and the next one that is equal to it is tried. */
  ended(pod: CachedPod): void {
    const { uid } = pod.metadata;
    const needs = this.#unschedulable.get(uid!)?.needs;
    this.#unschedulable.delete(uid!);
    this.retryNext(pod, needs);
  }

  /** Remembers a pod that no node fits, unless it is gone or bound by now: then it must not stand for others. */
  postpone(pod: CachedPod): void {
    const now = this.#cache.get(Pod, keyOf(pod));
    if (!now || now.metadata.uid !== pod.metadata.uid || !isWaiting(now)) return;
    this.#unschedulable.set(pod.metadata.uid!, { pod: now, needs: needsOf(now), isQueued: false });
  }

  /**
   * Queues the pods that did not fit, of equal ones only the first.
   *
   * @param mayHelp whether what has changed may help a pod. Default all
   */
  retry(mayHelp: (pod: CachedPod) => boolean = () => true): void {
    const seen = new Set<string>();
    for (const postponed of this.#unschedulable.values()) {
      if (seen.has(postponed.needs) || !mayHelp(postponed.pod)) continue;
      seen.add(postponed.needs);
      this.#requeue(postponed);
    }
  }

  /**
   * Queues the next pod that did not fit and is equal to this one, whose attempt says something new: it may fit as well.
   *
   * @param needs those of the pod, if they are known
   */
  retryNext(pod: CachedPod, needs?: string): void {
    if (this.#unschedulable.size === 0) return;
    needs ??= needsOf(pod);
    for (const next of this.#unschedulable.values())
      if (next.needs === needs && next.pod.metadata.uid !== pod.metadata.uid && !next.isQueued)
        return this.#requeue(next);
  }

  /** Notes the new state of a pod. It does not stand any more for those that it was equal to. */
  #renew(pod: CachedPod): void {
    const postponed = this.#unschedulable.get(pod.metadata.uid!);
    if (!postponed) return;
    const { needs } = postponed;
    Object.assign(postponed, { pod, needs: needsOf(pod) });
    if (postponed.needs !== needs) this.retryNext(pod, needs);
  }

  #requeue(postponed: Postponed): void {
    if (!postponed.isQueued) this.#add(postponed.pod);
    postponed.isQueued = true;
  }

  #add(pod: CachedPod): void {
    if (isWaiting(pod)) this.#enqueue(keyOf(pod), { priority: priorityOf(pod) });
  }

  #update(old: CachedPod, pod: CachedPod): void {
    if (isWaiting(pod)) {
      const isChanged = old.metadata.generation !== pod.metadata.generation || labelsDiffer(old, pod);
      // Its own condition is no reason to look again.
      if (isChanged || !isWaiting(old)) this.#add(pod);
      this.#renew(pod);
      if (isRoomFree(old, pod)) this.retry();
      return;
    }
    this.#unschedulable.delete(pod.metadata.uid!);
    if (isEnding(pod) !== isEnding(old) || isRoomFree(old, pod)) this.retry();
    else if (!old.spec?.nodeName || labelsDiffer(old, pod)) this.retry(dependsOnOthers);
  }
}

interface Postponed {
  pod: CachedPod;
  needs: string;
  /** Whether it will be tried again, and its turn has not come. */
  isQueued: boolean;
}

/** What decides where a pod can run. */
function needsOf({ metadata: { namespace, labels }, spec, status }: CachedPod): string {
  return JSON.stringify([namespace, labels, { ...spec, nodeName: undefined }, status?.nominatedNodeName]);
}

/** Whether a pod that others made room for does not need it any more. */
function isRoomFree(old: CachedPod, pod: CachedPod): boolean {
  const { nominatedNodeName } = old.status ?? {};
  const taken = isWaiting(pod) ? pod.status?.nominatedNodeName : pod.spec?.nodeName;
  return !old.spec?.nodeName && nominatedNodeName !== undefined && nominatedNodeName !== taken;
}

/** Whether it matters to a pod where others run, besides the room that they take. */
function dependsOnOthers({ spec }: CachedPod): boolean {
  const { podAffinity, podAntiAffinity } = spec?.affinity ?? {};
  return Boolean(podAffinity ?? podAntiAffinity ?? spec?.topologySpreadConstraints);
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
