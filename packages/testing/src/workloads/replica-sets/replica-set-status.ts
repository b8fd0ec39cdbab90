import { labelMatcher } from 'ots-apimachinery/selectors/label-matcher';
import { selectorRequirements } from 'ots-apimachinery/selectors/selector-requirements';
import { type DeepReadonly, findCondition } from 'ots-runtime';
import type { ReplicaSet, ReplicaSetCondition, ReplicaSetStatus } from 'ots-kubernetes/apps/v1';
import { type CachedPod, isPodAvailable, isPodReady } from '../pods/pod-state.ts';
import { withoutZeros } from '../without-zeros.ts';
import { timeText } from '../time-text.ts';

/** What a controller has found about a ReplicaSet. */
export interface Observation {
  readonly pods: readonly CachedPod[];
  /** How many of its pods are being deleted. */
  readonly terminating: number;
  /** Why pods could not be created or deleted. */
  readonly failure: Error | undefined;
  /** In milliseconds since 1970. */
  readonly now: number;
}

/** The status of a ReplicaSet. The pods are those from before the controller changed their number. */
export function replicaSetStatus(
  { metadata, spec, status }: DeepReadonly<ReplicaSet>,
  { pods, terminating, failure, now }: Observation,
): DeepReadonly<ReplicaSetStatus> {
  const { replicas = 1, minReadySeconds = 0, template } = spec ?? {};
  const hasLabels = labelMatcher(selectorRequirements({ matchLabels: template?.metadata?.labels ?? {} }));
  const before = status?.conditions ?? [];
  const conditions = conditionsOf(before, failure, Math.sign(replicas - pods.length), now);
  return {
    replicas: pods.length,
    ...withoutZeros({
      fullyLabeledReplicas: pods.filter((pod) => hasLabels(pod.metadata.labels)).length,
      readyReplicas: pods.filter(isPodReady).length,
      availableReplicas: pods.filter((pod) => isPodAvailable(pod, minReadySeconds, now)).length,
    }),
    terminatingReplicas: terminating,
    ...(metadata.generation !== undefined && { observedGeneration: metadata.generation }),
    ...(conditions.length > 0 && { conditions }),
  };
}

/** A failure that lasts keeps its first message. @param missing 1 if pods are missing, -1 if there are too many */
function conditionsOf(
  before: readonly DeepReadonly<ReplicaSetCondition>[],
  failure: Error | undefined,
  missing: number,
  now: number,
): readonly DeepReadonly<ReplicaSetCondition>[] {
  if (Boolean(findCondition(before, 'ReplicaFailure')) === Boolean(failure)) return before;
  const others = before.filter(({ type }) => type !== 'ReplicaFailure');
  if (!failure) return others;
  const reason = missing > 0 ? 'FailedCreate' : 'FailedDelete';
  const { message } = failure;
  const lastTransitionTime = timeText(now);
  return [...others, { type: 'ReplicaFailure', status: 'True', lastTransitionTime, reason, message }];
}
