import { isDeepStrictEqual } from 'node:util';
import { labelMatcher } from 'ots-apimachinery/selectors/label-matcher';
import { selectorRequirements } from 'ots-apimachinery/selectors/selector-requirements';
import type { Client, Reconciler, Request, Result } from 'ots-runtime';
import { StatefulSet, type StatefulSetStatus } from 'ots-kubernetes/apps/v1';
import { Pod } from 'ots-kubernetes/core/v1';
import { claim } from '../pods/claim.ts';
import { controlledBy, orphansBeside } from '../pods/controlled.ts';
import { type CachedPod, untilNextAvailable } from '../pods/pod-state.ts';
import { type CachedRevision, RevisionHistory } from '../revisions/revision-history.ts';
import { withoutZeros } from '../without-zeros.ts';
import type { WorkloadContext } from '../workload-context.ts';
import { type CachedSet, ordinalOf, revisionOf } from './identity.ts';
import type { ReplicaCounts } from './replica-counts.ts';
import { StatefulPodControl } from './stateful-pod-control.ts';
import { type SetRevisions, StatefulRollout } from './stateful-rollout.ts';

const name = 'statefulset-controller';

/** Gives a StatefulSet its pods, one after another, and replaces them when its template changes. */
export class StatefulSetReconciler implements Reconciler {
  readonly #context: WorkloadContext;
  readonly #client: Client;
  readonly #control: StatefulPodControl;
  readonly #history: RevisionHistory;

  constructor(context: WorkloadContext) {
    this.#context = context;
    this.#client = context.clientOf(name);
    this.#control = new StatefulPodControl(this.#client, context.eventsOf(name));
    this.#history = new RevisionHistory(context, this.#client, StatefulSet);
  }

  async reconcile({ name: setName, namespace }: Request): Promise<Result | void> {
    const { manager, clock } = this.#context;
    const set = manager.cache.get(StatefulSet, { name: setName, namespace }) as CachedSet | undefined;
    if (!set?.spec) return;
    const known = await this.#history.list(set);
    const pods = await this.#claim(set);
    const { revision: update, collisionCount } = await this.#history.update(
      set,
      known,
      set.status?.collisionCount ?? 0,
    );
    const current = known.find(({ metadata }) => metadata.name === set.status?.currentRevision) ?? update;
    const revisions = { current, update };
    const { counts, failure } = await new StatefulRollout(set, pods, revisions, {
      control: this.#control,
      clock,
    }).advance();
    await this.#writeStatus(set, statusOf(set, { counts, revisions, collisionCount }));
    await this.#truncate(set, pods, known, revisions);
    if (failure !== undefined) throw failure;
    return { requeueAfter: untilNextAvailable(pods, set.spec.minReadySeconds ?? 0, clock.epoch()) };
  }

  #claim(set: CachedSet): Promise<CachedPod[]> {
    const { cache, apiReader } = this.#context.manager;
    return claim(
      { client: this.#client, live: apiReader },
      {
        kind: Pod,
        candidates: [...controlledBy(cache, Pod, set), ...orphansBeside(cache, Pod, set)],
        ownerKind: StatefulSet,
        owner: set,
        selects: labelMatcher(selectorRequirements(set.spec.selector)),
        accepts: (pod) => ordinalOf(set, pod) !== undefined,
      },
    );
  }

  async #writeStatus(set: CachedSet, status: StatefulSetStatus): Promise<void> {
    const { conditions: _, ...before } = set.status ?? {};
    if (!isDeepStrictEqual(before, status)) await this.#client.status.update(StatefulSet, { ...set, status });
  }

  async #truncate(
    set: CachedSet,
    pods: readonly CachedPod[],
    known: readonly CachedRevision[],
    { current, update }: SetRevisions,
  ): Promise<void> {
    const used = new Set([
      current.metadata.name!,
      update.metadata.name!,
      ...pods.map((pod) => revisionOf(pod) ?? ''),
    ]);
    await this.#history.truncate(known, used, set.spec.revisionHistoryLimit ?? 10);
  }
}

/** The status of a set. A rolling update is complete when all pods are of the new revision and ready. */
function statusOf(
  { metadata, spec }: CachedSet,
  {
    counts,
    revisions,
    collisionCount,
  }: { counts: ReplicaCounts; revisions: SetRevisions; collisionCount: number },
): StatefulSetStatus {
  const { replicas, availableReplicas, ...others } = counts;
  const isComplete =
    spec.updateStrategy?.type === 'RollingUpdate' &&
    [counts.updatedReplicas, counts.readyReplicas, replicas].every((count) => count === spec.replicas);
  const update = revisions.update.metadata.name!;
  return {
    observedGeneration: metadata.generation!,
    replicas,
    ...withoutZeros({ ...others, ...(isComplete && { currentReplicas: counts.updatedReplicas }) }),
    currentRevision: isComplete ? update : revisions.current.metadata.name!,
    updateRevision: update,
    collisionCount,
    availableReplicas,
  };
}
