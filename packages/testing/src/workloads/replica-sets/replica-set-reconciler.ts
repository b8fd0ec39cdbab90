import { isDeepStrictEqual } from 'node:util';
import { type LabelMatcher, labelMatcher } from 'ots-apimachinery/selectors/label-matcher';
import { selectorRequirements } from 'ots-apimachinery/selectors/selector-requirements';
import { type Client, type DeepReadonly, type Reconciler, type Request, type Result } from 'ots-runtime';
import { ReplicaSet } from 'ots-kubernetes/apps/v1';
import { Pod } from 'ots-kubernetes/core/v1';
import { attemptAll } from '../pods/attempt-all.ts';
import { claim } from '../pods/claim.ts';
import { controlledBy, controlledWith, orphansBeside } from '../pods/controlled.ts';
import { inDeletionOrder } from '../pods/deletion-order.ts';
import { PodControl } from '../pods/pod-control.ts';
import { podFromTemplate } from '../pods/pod-from-template.ts';
import { type CachedPod, isPodActive, isPodTerminating, untilNextAvailable } from '../pods/pod-state.ts';
import { slowStart } from '../pods/slow-start.ts';
import type { WorkloadContext } from '../workload-context.ts';
import { replicaSetStatus } from './replica-set-status.ts';

/** As in Kubernetes: how many pods one reconcile creates or deletes. */
const maxChanges = 500;
const name = 'replicaset-controller';

/** Creates and deletes pods until a ReplicaSet has as many as it asks for. */
export class ReplicaSetReconciler implements Reconciler {
  readonly #context: WorkloadContext;
  readonly #client: Client;
  readonly #pods: PodControl;

  constructor(context: WorkloadContext) {
    this.#context = context;
    this.#client = context.clientOf(name);
    this.#pods = new PodControl(this.#client, context.eventsOf(name));
  }

  async reconcile(request: Request): Promise<Result | void> {
    const { manager, clock } = this.#context;
    const set = manager.cache.get(ReplicaSet, { name: request.name, namespace: request.namespace });
    if (!set?.spec) return;
    const selects = labelMatcher(selectorRequirements(set.spec.selector));
    const own = controlledBy(manager.cache, Pod, set);
    const pods = await this.#claim(set, selects, own);
    const failure = await this.#scale(set, pods);
    const now = clock.epoch();
    const terminating = own.filter((pod) => isPodTerminating(pod) && selects(pod.metadata.labels)).length;
    const status = replicaSetStatus(set, { pods, terminating, failure, now });
    if (!isDeepStrictEqual(set.status, status))
      await this.#client.status.update(ReplicaSet, { ...set, status });
    if (failure) throw failure;
    return { requeueAfter: untilNextAvailable(pods, set.spec.minReadySeconds ?? 0, now) };
  }

  #claim(
    set: DeepReadonly<ReplicaSet>,
    selects: LabelMatcher,
    own: readonly CachedPod[],
  ): Promise<CachedPod[]> {
    const { manager } = this.#context;
    const orphans = orphansBeside(manager.cache, Pod, set);
    const candidates = [...own, ...orphans].filter(isPodActive);
    const clients = { client: this.#client, live: manager.apiReader };
    return claim(clients, { kind: Pod, candidates, ownerKind: ReplicaSet, owner: set, selects });
  }

  /** @returns why the number of pods could not be changed */
  async #scale(set: DeepReadonly<ReplicaSet>, pods: readonly CachedPod[]): Promise<Error | undefined> {
    if (set.metadata.deletionTimestamp !== undefined) return undefined;
    const missing = (set.spec?.replicas ?? 1) - pods.length;
    try {
      if (missing > 0) await this.#create(set, Math.min(missing, maxChanges));
      else if (missing < 0) await this.#delete(set, pods, Math.min(-missing, maxChanges));
      return undefined;
    } catch (error) {
      return error as Error;
    }
  }

  async #create(set: DeepReadonly<ReplicaSet>, count: number): Promise<void> {
    const pod = podFromTemplate(set.spec?.template ?? {}, set);
    await slowStart(count, () => this.#pods.create(pod, set));
  }

  async #delete(set: DeepReadonly<ReplicaSet>, pods: readonly CachedPod[], count: number): Promise<void> {
    const { clock } = this.#context;
    const ranked = inDeletionOrder(pods, this.#relatedPods(set), clock.epoch());
    await attemptAll(ranked.slice(0, count), (pod) => this.#pods.delete(pod, set));
  }

  /** The pods of all ReplicaSets with the same controller, such as those of a Deployment. */
  #relatedPods(set: DeepReadonly<ReplicaSet>): CachedPod[] {
    const { cache } = this.#context.manager;
    const sets = controlledWith(cache, ReplicaSet, set);
    return sets.flatMap((related) => controlledBy(cache, Pod, related));
  }
}
