import { isDeepStrictEqual } from 'node:util';
import { labelMatcher } from 'ots-apimachinery/selectors/label-matcher';
import { selectorRequirements } from 'ots-apimachinery/selectors/selector-requirements';
import {
  type Client,
  type DeepReadonly,
  type Reconciler,
  type Request,
  type Result,
  setCondition,
} from 'ots-runtime';
import type { Condition } from 'ots-kubernetes';
import { Pod } from 'ots-kubernetes/core/v1';
import { PodDisruptionBudget, type PodDisruptionBudgetStatus } from 'ots-kubernetes/policy/v1';
import type { EventSink } from '../event-sink.ts';
import { type CachedPod, isPodReady } from '../pods/pod-state.ts';
import type { WorkloadContext } from '../workload-context.ts';
import { type ExpectedPods, expectedPodsOf } from './expected-pods.ts';

type Budget = DeepReadonly<PodDisruptionBudget>;

const name = 'disruption-controller';
/** As in Kubernetes: how long after an eviction a pod counts as gone although it is not being deleted. */
const deletionTimeoutMs = 120_000;

/** Computes how many pods of a PodDisruptionBudget may be evicted now. */
export class DisruptionReconciler implements Reconciler {
  readonly #context: WorkloadContext;
  readonly #client: Client;
  readonly #events: EventSink;

  constructor(context: WorkloadContext) {
    this.#context = context;
    this.#client = context.clientOf(name);
    this.#events = context.eventsOf(name, 'controllermanager');
  }

  async reconcile({ name: budgetName, namespace }: Request): Promise<Result | void> {
    const { cache } = this.#context.manager;
    const budget = cache.get(PodDisruptionBudget, { name: budgetName, namespace });
    if (!budget) return;
    const pods = podsOf(budget, cache.list(Pod, { namespace }));
    if (pods.length === 0) this.#events.record(budget, 'Normal', 'NoPods', 'No matching pods found');
    const now = this.#context.clock.epoch();
    const disrupted = Object.entries(budget.status?.disruptedPods ?? {}).filter(([evicted, since]) => {
      const pod = pods.find(({ metadata }) => metadata.name === evicted);
      return pod && !pod.metadata.deletionTimestamp && Date.parse(since) + deletionTimeoutMs >= now;
    });
    const status = this.#statusOf(budget, pods, Object.fromEntries(disrupted), now);
    if (!isDeepStrictEqual(budget.status, status))
      await this.#client.status.update(PodDisruptionBudget, { ...budget, status });
    const waits = disrupted.map(([, since]) => Date.parse(since) + deletionTimeoutMs - now + 1);
    return { requeueAfter: waits.length === 0 ? undefined : Math.min(...waits) };
  }

  #statusOf(
    budget: Budget,
    pods: readonly CachedPod[],
    disruptedPods: Readonly<Record<string, string>>,
    now: number,
  ): DeepReadonly<PodDisruptionBudgetStatus> {
    try {
      const expected = expectedPodsOf(this.#context.manager.cache, budget, pods);
      return countedStatus(budget, pods, disruptedPods, { ...expected, now });
    } catch (error) {
      return failedStatus(budget, error as Error, now);
    }
  }
}

/** The pods that a budget selects. */
function podsOf({ spec }: Budget, pods: readonly CachedPod[]): CachedPod[] {
  if (!spec?.selector) return [];
  const selects = labelMatcher(selectorRequirements(spec.selector));
  return pods.filter(({ metadata }) => selects(metadata.labels));
}

function countedStatus(
  { metadata: { generation }, status }: Budget,
  pods: readonly CachedPod[],
  disruptedPods: Readonly<Record<string, string>>,
  { expectedPods, desiredHealthy, now }: ExpectedPods & { now: number },
): DeepReadonly<PodDisruptionBudgetStatus> {
  const currentHealthy = pods.filter(
    (pod) =>
      isPodReady(pod) &&
      pod.metadata.deletionTimestamp === undefined &&
      !Object.hasOwn(disruptedPods, pod.metadata.name!),
  ).length;
  const disruptionsAllowed = expectedPods > 0 ? Math.max(0, currentHealthy - desiredHealthy) : 0;
  const isAllowed = disruptionsAllowed > 0;
  const condition = {
    type: 'DisruptionAllowed',
    status: isAllowed ? ('True' as const) : ('False' as const),
    reason: isAllowed ? 'SufficientPods' : 'InsufficientPods',
    message: '',
    observedGeneration: generation,
  };
  return {
    currentHealthy,
    desiredHealthy,
    expectedPods,
    disruptionsAllowed,
    ...(generation !== undefined && { observedGeneration: generation }),
    ...(Object.keys(disruptedPods).length > 0 && { disruptedPods }),
    conditions: setCondition(status?.conditions as Condition[] | undefined, condition, new Date(now)),
  };
}

/** No pod may be evicted while the size of the whole is not known. */
function failedStatus(
  { status }: Budget,
  error: Error,
  now: number,
): DeepReadonly<PodDisruptionBudgetStatus> {
  const condition = {
    type: 'DisruptionAllowed',
    status: 'False' as const,
    reason: 'SyncFailed',
    message: error.message,
    observedGeneration: status?.observedGeneration,
  };
  const conditions = setCondition(status?.conditions as Condition[] | undefined, condition, new Date(now));
  return { ...status, disruptionsAllowed: 0, conditions };
}
