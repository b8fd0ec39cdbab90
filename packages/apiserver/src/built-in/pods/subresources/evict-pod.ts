import { systemUser } from '../../../authentication/user-info.ts';
import { cloneJson } from '../../../json/clone-json.ts';
import type { Pod } from 'ots-kubernetes/core/v1';
import type { DeleteOptions } from 'ots-kubernetes/meta/v1';
import type { Eviction } from 'ots-kubernetes/policy/v1';
import type { ApiObject } from '../../../json/api-object.ts';
import type { BuiltInObject } from '../../../json/built-in-object.ts';
import { badRequest, invalidObject, notFound } from '../../../status/errors.ts';
import { invalid } from '../../../status/field-error.ts';
import { StatusError } from '../../../status/status-error.ts';
import type { StoredRecord } from '../../../storage/stored-record.ts';
import { toDeleteOptions } from '../../../registry/delete-options.ts';
import { checkPreconditions, deleteRecord } from '../../../registry/delete.ts';
import { type Machinery, timestamp } from '../../../registry/machinery.ts';
import { type Answer, keyOf, resourceName } from '../../../registry/resource.ts';
import type { Target, WriteOptions } from '../../../registry/target.ts';
import { updateRecord } from '../../../registry/update.ts';
import { viewOf } from '../../../registry/views.ts';
import { budgetsOf, canDisrupt, takeDisruption } from './disruption-budget.ts';
import { setCondition } from './set-condition.ts';
import { success } from './success.ts';

const tooManyBudgets = {
  ...success,
  status: 'Failure',
  message: 'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
  code: 500,
};

/**
 * Checks an eviction, which becomes a dry run when the request is one. Changes it.
 *
 * @throws {StatusError} 400 for another name, 422 for options that it does not allow, 500 for another dry run
 */
export function completeEviction(
  _machinery: Machinery,
  { name }: Target,
  body: ApiObject,
  { dryRun }: WriteOptions,
): void {
  const { metadata, deleteOptions } = asEviction(body);
  if (metadata.name !== name) throw badRequest('name in URL does not match name in Eviction object');
  if (!deleteOptions) return;
  const flag = 'ignoreStoreReadErrorWithClusterBreakingPotential';
  if (deleteOptions[flag]) {
    const detail = 'can not be set for pod eviction, try after removing the option';
    throw invalidObject({ group: 'policy', name: 'Eviction' }, name, [
      invalid(`deleteOptions.${flag}`, true, detail),
    ]);
  }
  const own = deleteOptions.dryRun ?? [];
  if (dryRun && own.length > 0 && own.join(' ') !== 'All') {
    const detail = `Non-matching dry-run options in request and content: [All] and [${own.join(' ')}]`;
    throw new StatusError(500, undefined, detail);
  }
  if (dryRun) deleteOptions.dryRun = ['All'];
}

/**
 * Deletes a pod if its disruption budget allows it.
 *
 * @throws {StatusError} 429 when it does not
 */
export const evictPod: Answer = (machinery, target, body, { dryRun }) => {
  const { deleteOptions } = asEviction(body);
  const asked = { ...deleteOptions, dryRun: dryRun ? ['All'] : (deleteOptions?.dryRun ?? []) };
  const { resource, namespace, name } = target;
  const record = resource.table.get(keyOf(resource, namespace, name));
  if (!record) throw notFound(resourceName(resource), name);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is stored was decoded
  const pod = viewOf(resource, record) as BuiltInObject<Pod>;
  const budgets = hasEnded(pod) ? [] : budgetsOf(machinery, pod);
  if (budgets.length > 1) return tooManyBudgets;
  const [budget] = budgets;
  if (budget && !canDisrupt(budget, pod)) takeDisruption(machinery, budget, name, asked.dryRun.length > 0);
  remove(machinery, target, record, asked);
  return success;
};

/** The delete options of the request, which are validated only at the deletion. */
type SentOptions = DeleteOptions & { dryRun: string[] };

function asEviction(body: ApiObject): BuiltInObject<Eviction> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- decoding a body gives every field its type
  return body as BuiltInObject<Eviction>;
}

/** Evicting a pod that has ended or not started disrupts nothing. */
function hasEnded({ status, metadata }: BuiltInObject<Pod>): boolean {
  const { phase } = status ?? {};
  return (
    phase === 'Succeeded' ||
    phase === 'Failed' ||
    phase === 'Pending' ||
    metadata.deletionTimestamp !== undefined
  );
}

/** Records the reason in a condition of the pod, and deletes it. */
function remove(machinery: Machinery, target: Target, record: StoredRecord, asked: SentOptions): void {
  const { resource } = target;
  if (asked.dryRun.length > 0) {
    deleteRecord(machinery, resource, record, toDeleteOptions({ ...asked }));
    return;
  }
  checkPreconditions(resource, record, { preconditions: asked.preconditions ?? {} });
  const pod = cloneJson(viewOf(resource, record));
  const status = { ...(pod['status'] as Record<string, unknown> | undefined) };
  const condition = {
    type: 'DisruptionTarget',
    status: 'True',
    lastProbeTime: null,
    reason: 'EvictionByEvictionAPI',
    message: 'Eviction API: evicting',
  };
  setCondition(status, condition, timestamp(machinery));
  updateRecord(
    machinery,
    { ...target, subresource: 'status' },
    record,
    { ...pod, status },
    { user: systemUser, dryRun: false },
  );
  const updated = resource.table.get(record.key);
  const options = toDeleteOptions({ ...asked });
  const { resourceVersion: _checked, ...preconditions } = options.preconditions;
  if (updated) deleteRecord(machinery, resource, updated, { ...options, preconditions });
}
