import type { DeepReadonly } from 'ots-runtime';
import type { PodFailurePolicyOnExitCodesRequirement, PodFailurePolicyRule } from 'ots-kubernetes/batch/v1';
import type { ContainerStatus } from 'ots-kubernetes/core/v1';
import type { CachedPod } from '../pods/pod-state.ts';
import type { CachedJob } from './job-facts.ts';

/** What the pod failure policy of a job says about a failed pod. */
export interface FailureDecision {
  /** The action of the first rule that matches. */
  readonly action: string;
  /** Why the job fails, if it does. */
  readonly message: string | undefined;
}

/** @returns undefined if no rule matches: the failure counts then */
export function decideFailure(job: CachedJob, pod: CachedPod): FailureDecision | undefined {
  for (const [index, rule] of (job.spec?.podFailurePolicy?.rules ?? []).entries()) {
    const cause = causeOf(rule, pod);
    if (cause === undefined) continue;
    const { action } = rule;
    const message = action === 'FailJob' ? `${cause} matching FailJob rule at index ${index}` : undefined;
    return { action, message };
  }
  return undefined;
}

/** Whether a failure counts against the backoff limits. */
export function isCounted(job: CachedJob, pod: CachedPod): boolean {
  return decideFailure(job, pod)?.action !== 'Ignore';
}

function causeOf(
  { onExitCodes, onPodConditions = [] }: DeepReadonly<PodFailurePolicyRule>,
  { metadata, status }: CachedPod,
): string | undefined {
  const name = `${metadata.namespace}/${metadata.name}`;
  if (onExitCodes) {
    const statuses = [...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? [])];
    const container = statuses.find((candidate) => exitMatches(candidate, onExitCodes));
    if (!container) return undefined;
    return `Container ${container.name} for pod ${name} failed with exit code ${container.state?.terminated?.exitCode}`;
  }
  const condition = status?.conditions?.find(({ type, status: value }) =>
    onPodConditions.some((pattern) => pattern.type === type && (pattern.status ?? 'True') === value),
  );
  return condition && `Pod ${name} has condition ${condition.type}`;
}

function exitMatches(
  { name, state }: DeepReadonly<ContainerStatus>,
  { containerName, operator, values }: DeepReadonly<PodFailurePolicyOnExitCodesRequirement>,
): boolean {
  const code = state?.terminated?.exitCode ?? 0;
  if (code === 0 || (containerName !== undefined && containerName !== name)) return false;
  return values.includes(code) === (operator === 'In');
}
