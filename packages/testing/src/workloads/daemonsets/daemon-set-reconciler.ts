import { isDeepStrictEqual } from 'node:util';
import { Node, Pod } from 'ots-kubernetes/core/v1';
import { DaemonSet } from 'ots-kubernetes/apps/v1';
import type { Client, Reconciler, Request, Result } from 'ots-runtime';
import type { EventSink } from '../event-sink.ts';
import { attemptAll } from '../pods/attempt-all.ts';
import { claim } from '../pods/claim.ts';
import { controlledBy, orphansBeside } from '../pods/controlled.ts';
import { labelSelectorMatcher } from '../pods/label-selector-matcher.ts';
import { PodControl } from '../pods/pod-control.ts';
import { type CachedPod, untilNextAvailable } from '../pods/pod-state.ts';
import { slowStart } from '../pods/slow-start.ts';
import type { WorkloadContext } from '../workload-context.ts';
import { DaemonHistory, type DaemonRevisions } from './daemon-history.ts';
import { type CachedDaemonSet, daemonPod, hashLabel } from './daemon-pod.ts';
import { daemonStatus } from './daemon-status.ts';
import { DaemonView } from './daemon-view.ts';
import { FailedPodBackoff } from './failed-pod-backoff.ts';
import { type DaemonPlan, planNode } from './node-plan.ts';
import { RollingUpdate } from './rolling-update.ts';

const name = 'daemon-set-controller';
/** As in Kubernetes: how many pods one reconcile creates, and how many it deletes. */
const maxChanges = 250;

/** Gives each node that a DaemonSet selects one pod, and replaces the pods when the template changes. */
export class DaemonSetReconciler implements Reconciler {
  readonly #context: WorkloadContext;
  readonly #client: Client;
  readonly #events: EventSink;
  readonly #pods: PodControl;
  readonly #history: DaemonHistory;
  readonly #failed = new FailedPodBackoff();

  constructor(context: WorkloadContext) {
    this.#context = context;
    this.#client = context.clientOf(name);
    this.#events = context.eventsOf(name, 'daemonset-controller');
    this.#pods = new PodControl(this.#client, this.#events);
    this.#history = new DaemonHistory(context, this.#client);
  }

  async reconcile(request: Request): Promise<Result | void> {
    const { cache } = this.#context.manager;
    const set = cache.get(DaemonSet, { name: request.name, namespace: request.namespace }) as
      | CachedDaemonSet
      | undefined;
    if (!set?.spec || set.metadata.deletionTimestamp !== undefined) return;
    const revisions = await this.#history.construct(set, controlledBy(cache, Pod, set));
    const hash = revisions.current.metadata.labels![hashLabel]!;
    const waits: number[] = [];
    try {
      await this.#update(set, revisions, hash, waits);
    } finally {
      await this.#writeStatus(set, hash);
    }
    const own = controlledBy(cache, Pod, set);
    const next = untilNextAvailable(own, set.spec.minReadySeconds ?? 0, this.#context.clock.epoch());
    if (next !== undefined) waits.push(next);
    return waits.length === 0 ? {} : { requeueAfter: Math.min(...waits) };
  }

  /** Changes pods in one way at a time: an update waits until all nodes have what they need. */
  async #update(
    set: CachedDaemonSet,
    { old }: DaemonRevisions,
    hash: string,
    waits: number[],
  ): Promise<void> {
    const now = this.#context.clock.epoch();
    const view = await this.#view(set);
    const managed = this.#manage(view, hash, waits);
    await this.#apply(set, managed, hash);
    const isQuiet = managed.nodes.length === 0 && managed.pods.length === 0;
    if (isQuiet && set.spec.updateStrategy?.type === 'RollingUpdate')
      await this.#apply(set, new RollingUpdate(view, hash, now).plan(), hash);
    await this.#history.truncate(set, old, controlledBy(this.#context.manager.cache, Pod, set));
  }

  async #view(set: CachedDaemonSet): Promise<DaemonView> {
    const { cache, apiReader } = this.#context.manager;
    const pods = await claim(
      { client: this.#client, live: apiReader },
      {
        kind: Pod,
        candidates: [...controlledBy(cache, Pod, set), ...orphansBeside(cache, Pod, set)],
        ownerKind: DaemonSet,
        owner: set,
        selects: labelSelectorMatcher(set.spec.selector),
      },
    );
    return new DaemonView(set, cache.list(Node), pods);
  }

  /** @param waits receives how long deletions of failed pods are delayed */
  #manage({ set, nodes, lost }: DaemonView, hash: string, waits: number[]): DaemonPlan {
    const now = this.#context.clock.epoch();
    const plans = [...nodes].map(([node, { placement, pods }]) =>
      planNode(node, {
        set,
        hash,
        placement,
        pods,
        now,
        mayReplace: (pod) => this.#mayReplace(set, node, pod, waits),
      }),
    );
    return {
      nodes: plans.flatMap((plan) => plan.nodes),
      pods: [...plans.flatMap((plan) => plan.pods), ...lost],
    };
  }

  #mayReplace(set: CachedDaemonSet, node: string, pod: CachedPod, waits: number[]): boolean {
    const { name: podName, namespace } = pod.metadata;
    const found = (phase: string, verb: string) =>
      `Found ${phase} daemon pod ${namespace}/${podName} on node ${node}, will try to ${verb} it`;
    if (pod.status?.phase === 'Succeeded') {
      this.#events.record(set, 'Normal', 'SucceededDaemonPod', found('succeeded', 'delete'));
      return true;
    }
    const key = `${set.metadata.uid}/${set.status?.observedGeneration ?? 0}/${node}`;
    const wait = this.#failed.next(key, this.#context.clock.epoch());
    if (wait > 0) {
      waits.push(wait);
      return false;
    }
    this.#events.record(set, 'Warning', 'FailedDaemonPod', found('failed', 'kill'));
    return true;
  }

  async #apply(set: CachedDaemonSet, { nodes, pods }: DaemonPlan, hash: string): Promise<void> {
    const missing = nodes.slice(0, maxChanges);
    await slowStart(missing.length, (index) => this.#pods.create(daemonPod(set, missing[index]!, hash), set));
    await attemptAll(pods.slice(0, maxChanges), (pod) => this.#pods.delete(pod, set));
  }

  async #writeStatus(set: CachedDaemonSet, hash: string): Promise<void> {
    const view = await this.#view(set);
    const status = daemonStatus(view, hash, this.#context.clock.epoch());
    if (!isDeepStrictEqual(set.status, status))
      await this.#client.status.update(DaemonSet, { ...set, status });
  }
}
