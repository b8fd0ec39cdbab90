import { systemUser } from '../../../authentication/user-info.ts';
import { labelMatcher } from 'ots-apimachinery/selectors/label-matcher';
import { parseLabelSelector } from 'ots-apimachinery/selectors/parse-label-selector';
import { cloneJson } from '../../../json/clone-json.ts';
import type { Pod } from 'ots-kubernetes/core/v1';
import type { PodDisruptionBudget } from 'ots-kubernetes/policy/v1';
import type { BuiltInObject } from '../../../json/built-in-object.ts';
import { forbidden } from '../../../status/errors.ts';
import { StatusError } from '../../../status/status-error.ts';
import { formatSelector } from '../../../selectors/format-selector.ts';
import { type Machinery, timestamp } from '../../../registry/machinery.ts';
import { trackManagers } from '../../../registry/track-managers.ts';
import { keyOf } from '../../../registry/resource.ts';
import { updateRecord } from '../../../registry/update.ts';
import { viewOf } from '../../../registry/views.ts';
import { setCondition } from './set-condition.ts';

type Budget = BuiltInObject<PodDisruptionBudget>;

const maxDisruptedPods = 2000;

/** The disruption budgets that select a pod. */
export function budgetsOf({ registry }: Machinery, { metadata }: BuiltInObject<Pod>): Budget[] {
  const resource = registry.find('policy', 'v1', 'poddisruptionbudgets');
  if (!resource) return [];
  return (
    resource.table
      .list(`${metadata.namespace ?? ''}/`)
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is stored was decoded
      .map((record) => viewOf(resource, record) as Budget)
      .filter(({ spec }) => selects(spec?.selector, metadata.labels ?? {}))
  );
}

/** A missing selector selects nothing, an empty one everything, an invalid one nothing. */
function selects(selector: unknown, labels: Record<string, string>): boolean {
  if (selector === undefined || selector === null) return false;
  try {
    return labelMatcher(parseLabelSelector(formatSelector(selector)))(labels);
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

/** Whether evicting a pod that is not ready leaves the budget unharmed. */
export function canDisrupt({ spec, status }: Budget, pod: BuiltInObject<Pod>): boolean {
  const isReady = pod.status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True');
  if (isReady) return false;
  if (spec?.unhealthyPodEvictionPolicy === 'AlwaysAllow') return true;
  const { currentHealthy = 0, desiredHealthy = 0 } = status ?? {};
  return currentHealthy >= desiredHealthy && desiredHealthy > 0;
}

/**
 * Takes one disruption from a budget.
 *
 * @param podName the pod to evict
 * @throws {StatusError} 429 when there is none left, or the controller has not counted yet
 */
export function takeDisruption(machinery: Machinery, budget: Budget, podName: string, dryRun: boolean): void {
  check(budget);
  if (dryRun) return;
  const resource = machinery.registry.find('policy', 'v1', 'poddisruptionbudgets');
  const { name = '', namespace = '' } = budget.metadata;
  const record = resource?.table.get(keyOf(resource, namespace, name));
  if (!resource || !record) return;
  const now = timestamp(machinery);
  const left = (budget.status?.disruptionsAllowed ?? 0) - 1;
  const status = {
    ...budget.status,
    disruptionsAllowed: left,
    disruptedPods: { ...budget.status?.disruptedPods, [podName]: now },
  };
  if (left === 0) {
    const { observedGeneration } = status;
    const condition = { type: 'DisruptionAllowed', status: 'False', reason: 'InsufficientPods', message: '' };
    setCondition(status, { ...condition, ...(observedGeneration && { observedGeneration }) }, now);
  }
  const target = { resource, namespace, name, subresource: 'status' };
  const object = { ...cloneJson(budget), status };
  trackManagers(
    machinery,
    target,
    { live: budget, object },
    { user: systemUser, dryRun, manager: 'kube-apiserver' },
  );
  updateRecord(machinery, target, record, object, { user: systemUser, dryRun });
}

function check({ metadata, status = {} }: Budget): void {
  const { name = '', generation = 0 } = metadata;
  const { observedGeneration = 0, disruptionsAllowed = 0, disruptedPods = {} } = status;
  if (observedGeneration < generation) {
    throw violated(`The disruption budget ${name} is still being processed by the server.`, 10);
  }
  const refuse = (detail: string) =>
    forbidden({ group: 'policy', name: 'poddisruptionbudget' }, name, detail);
  if (disruptionsAllowed < 0) throw refuse('pdb disruptions allowed is negative');
  if (Object.keys(disruptedPods).length > maxDisruptedPods)
    throw refuse('DisruptedPods map too big - too many evictions not confirmed by PDB controller');
  if (disruptionsAllowed === 0) throw violated(reasonOf(name, status), 0);
}

function reasonOf(name: string, status: NonNullable<Budget['status']>): string {
  const { currentHealthy = 0, desiredHealthy = 0, conditions = [] } = status;
  const condition = conditions.find(({ type }) => type === 'DisruptionAllowed');
  const budget = `The disruption budget ${name}`;
  const { reason = '', message = '' } = condition?.status === 'False' ? condition : {};
  const refused = `${budget} does not allow evicting pods currently`;
  if (message !== '' && reason === 'SyncFailed') return `${refused} because it failed sync: ${message}`;
  if (currentHealthy <= desiredHealthy)
    return `${budget} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`;
  return message === '' ? refused : `${refused} (${reason}): ${message}`;
}

function violated(reason: string, retryAfterSeconds: number): StatusError {
  const message = "Cannot evict pod as it would violate the pod's disruption budget.";
  return new StatusError(429, 'TooManyRequests', message, {
    causes: [{ reason: 'DisruptionBudget', message: reason }],
    ...(retryAfterSeconds > 0 && { retryAfterSeconds }),
  });
}
