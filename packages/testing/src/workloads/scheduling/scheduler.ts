import { type Binding, Pod } from 'ots-kubernetes/core/v1';
import {
  type Client,
  ControllerBuilder,
  type Request,
  type Result,
  isConflict,
  isNotFound,
  keyOf,
} from 'ots-runtime';
import type { CachedPod } from '../pods/pod-state.ts';
import { withDisruption } from '../pods/with-disruption.ts';
import { timeText } from '../time-text.ts';
import type { NodeContext } from '../nodes/node-context.ts';
import { type PodClaims, podClaims } from './claims.ts';
import { ClusterState, type NodeView } from './cluster-state.ts';
import type { Rejection } from './filter.ts';
import { fitError } from './fit-error.ts';
import { placementOf } from './placement.ts';
import { type Preemption, findPreemption, preempted } from './preemption.ts';
import { SchedulerEvents } from './scheduler-events.ts';
import { SchedulingQueue, isWaiting } from './scheduling-queue.ts';
import { VolumeBinder, bindingTimedOut } from './volume-binder.ts';

/** Adds the scheduler to the manager. */
export function addScheduler(context: NodeContext): void {
  const queue = new SchedulingQueue(context.manager.cache);
  const scheduler = new Scheduler(context, queue);
  new ControllerBuilder(context.manager)
    .named('kube-scheduler')
    .watchesSource(queue)
    .complete((request) => scheduler.schedule(request));
}

/** Gives pods their nodes. */
class Scheduler {
  readonly #context: NodeContext;
  readonly #client: Client;
  readonly #events: SchedulerEvents;
  readonly #queue: SchedulingQueue;
  readonly #state: ClusterState;
  readonly #volumes: VolumeBinder;
  readonly #isPlaced = new Set<string>();

  constructor(context: NodeContext, queue: SchedulingQueue) {
    this.#context = context;
    this.#client = context.clientAs({ user: 'system:kube-scheduler', fieldOwner: 'kube-scheduler' });
    this.#events = new SchedulerEvents(this.#client, context.clock);
    this.#queue = queue;
    this.#state = new ClusterState(context.manager.cache);
    this.#state.follow();
    this.#volumes = new VolumeBinder(this.#client, { cache: context.manager.cache, clock: context.clock });
  }

  async schedule(request: Request): Promise<Result | void> {
    const { cache } = this.#context.manager;
    const pod = cache.get(Pod, request);
    if (pod) this.#queue.began(pod);
    if (!pod || !isWaiting(pod) || this.#isPlaced.has(pod.metadata.uid!)) {
      if (pod) this.#queue.ended(pod);
      return this.#volumes.forget(request);
    }
    const placement = placementOf(pod, this.#state, cache);
    if ('message' in placement) return this.#fail(pod, placement.message);
    if ('rejections' in placement) return this.#preempt(pod, placement.rejections);
    const { view, claims } = placement;
    if (claims.delayed.length > 0) return this.#bindVolumes(pod, view, claims);
    return this.#bind(pod, view.node.metadata.name!);
  }

  async #bind(pod: CachedPod, node: string): Promise<void> {
    const { name = '', namespace = '', uid = '' } = pod.metadata;
    this.#state.place(pod, node);
    this.#isPlaced.add(uid);
    this.#queue.ended(pod);
    try {
      await this.#client.subresource<Binding>('binding').create(Pod, keyOf(pod), {
        apiVersion: 'v1',
        kind: 'Binding',
        metadata: { name, namespace, uid },
        target: { kind: 'Node', name: node },
      });
    } catch (error) {
      this.#state.remove(pod);
      this.#isPlaced.delete(uid);
      this.#queue.retry();
      // It is gone, or bound already.
      if (isNotFound(error) || isConflict(error)) return;
      throw error;
    }
    const note = `Successfully assigned ${namespace}/${name} to ${node}`;
    await this.#events.record(pod, { type: 'Normal', reason: 'Scheduled', action: 'Binding', note });
  }

  /** Asks for the volumes, and waits: the pod is scheduled again when its claims are bound, or when that takes too long. */
  async #bindVolumes(pod: CachedPod, view: NodeView, claims: PodClaims): Promise<Result> {
    const left = this.#volumes.remaining(pod);
    if (left === 0) await this.#fail(pod, bindingTimedOut, { reason: 'SchedulerError', nominated: null });
    if (!left) await this.#patchStatus(pod, { nominatedNodeName: view.node.metadata.name! });
    const requeueAfter = left || this.#volumes.begin(pod);
    await this.#volumes.ask(claims, view);
    this.#queue.postpone(pod);
    return { requeueAfter };
  }

  async #preempt(pod: CachedPod, rejections: ReadonlyMap<NodeView, Rejection>): Promise<void> {
    const { cache } = this.#context.manager;
    const claims = podClaims(pod, cache) as PodClaims;
    const found = findPreemption(pod, rejections, { state: this.#state, cache, claims });
    const message = fitError([...rejections.values()]);
    if ('problem' in found) {
      const { problem, isEligible } = found;
      // A pod that cannot make room for itself keeps none from others.
      const nominated = isEligible ? null : undefined;
      return this.#fail(pod, `${message} no new claims to deallocate, preemption: ${problem}`, { nominated });
    }
    // Before a victim can be gone: what helps the pod while it is refused must count.
    this.#queue.postpone(pod);
    await this.#evict(pod, found);
    // The room that was made for them is now this pod's.
    for (const other of this.#state.nominatedBelow(found.view, pod))
      await this.#patchStatus(other, { nominatedNodeName: null });
    return this.#fail(pod, message, { nominated: found.view.node.metadata.name });
  }

  async #evict(pod: CachedPod, { view, victims }: Preemption): Promise<void> {
    for (const victim of victims) {
      if (victim.metadata.deletionTimestamp !== undefined) continue;
      const conditions = withDisruption(victim, preempted, this.#context.clock.epoch());
      const patch = { status: { conditions } };
      try {
        await this.#client.status.patch(Pod, keyOf(victim), patch, { type: 'strategic' });
        await this.#client.delete(Pod, keyOf(victim));
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
      const note = `Preempted by pod ${pod.metadata.uid} on node ${view.node.metadata.name}`;
      await this.#events.record(victim, {
        type: 'Normal',
        reason: 'Preempted',
        action: 'Preempting',
        note,
        related: pod,
      });
    }
  }

  /**
   * Says why a pod has no node, and tries again when something has changed.
   *
   * @param nominated the node that the pod may get, null for none. Default: as before
   */
  async #fail(
    pod: CachedPod,
    message: string,
    { reason = 'Unschedulable', nominated }: { reason?: string; nominated?: string | null | undefined } = {},
  ): Promise<void> {
    this.#queue.postpone(pod);
    await this.#events.record(pod, {
      type: 'Warning',
      reason: 'FailedScheduling',
      action: 'Scheduling',
      note: message,
    });
    const old = pod.status?.conditions?.find(({ type }) => type === 'PodScheduled');
    const isSame = old?.status === 'False' && old.reason === reason && old.message === message;
    const isNominated = nominated === undefined || (pod.status?.nominatedNodeName ?? null) === nominated;
    if (isSame && isNominated) return;
    this.#queue.retryNext(pod);
    const now = timeText(this.#context.clock.epoch());
    const condition = {
      type: 'PodScheduled',
      status: 'False',
      reason,
      message,
      lastTransitionTime: old?.status === 'False' ? (old.lastTransitionTime ?? now) : now,
      observedGeneration: pod.metadata.generation ?? 0,
    };
    await this.#patchStatus(pod, {
      conditions: [condition],
      ...(!isNominated && { nominatedNodeName: nominated }),
    });
  }

  async #patchStatus(pod: CachedPod, status: object): Promise<void> {
    try {
      await this.#client.status.patch(Pod, keyOf(pod), { status }, { type: 'strategic' });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }
}
