import { isDeepStrictEqual } from 'node:util';
import {
  type Client,
  type DeepReadonly,
  type Reconciler,
  type Request,
  type Result,
  isApiError,
  isForbidden,
} from 'ots-runtime';
import type { ObjectReference } from 'ots-kubernetes/core/v1';
import { InstallPlan, type InstallPlanCondition, type InstallPlanStatus, OperatorGroup } from '../kinds.ts';
import { olmUser } from '../olm-user.ts';
import { thawed } from '../../thawed.ts';
import type { V0Context } from '../v0-context.ts';
import { StepError, executeStep } from './execute-step.ts';

/** When OLM looks again at a plan that it executes, and when it gives up. */
const againMs = 5000;
const timeoutMs = 60_000;
/** Statuses of steps that need nothing more. */
const done = ['Created', 'Present'];

/** Executes an InstallPlan: waits for the approval, and creates what its steps say. */
export class InstallPlanReconciler implements Reconciler {
  readonly #context: V0Context;

  constructor(context: V0Context) {
    this.#context = context;
  }

  async reconcile({ name, namespace }: Request): Promise<Result | void> {
    const { cache } = this.#context;
    const plan = cache.get(InstallPlan, { name, namespace });
    const phase = plan?.status?.phase;
    if (!plan?.status?.plan || phase === 'Complete' || phase === 'Failed') return;
    const status = thawed(plan.status);
    const account = this.#account(namespace!);
    if (typeof account === 'string') {
      setCondition(
        status,
        { ...failed, reason: 'InstallCheckFailed', message: account },
        this.#context.now(),
      );
      await this.#write(plan, status);
      return { requeueAfter: againMs };
    }
    clearCheck(status);
    if (account) status.attenuatedServiceAccountRef = account;
    if (phase === 'RequiresApproval' && plan.spec.approved) {
      status.phase = 'Installing';
      delete status.message;
    } else if (phase === 'Installing') await this.#execute(plan, status);
    await this.#write(plan, status);
    return status.phase === 'Installing' ? { requeueAfter: againMs } : undefined;
  }

  async #execute(plan: DeepReadonly<InstallPlan>, status: InstallPlanStatus): Promise<void> {
    const { clock, now } = this.#context;
    status.startTime ??= now();
    try {
      for (const step of status.plan ?? []) {
        step.status = await executeStep(step, plan, {
          ...this.#context,
          client: this.#clientOf(status.attenuatedServiceAccountRef),
        });
      }
    } catch (error) {
      if (!(isApiError(error) || error instanceof StepError)) throw error;
      const { message } = error;
      const isLate = clock.epoch() - Date.parse(status.startTime) >= timeoutMs;
      // An administrator may give the ServiceAccount its rights at any time.
      if (isForbidden(error) || !isLate) {
        status.message = `retrying execution due to error: ${message}`;
        return;
      }
      setCondition(status, { ...failed, reason: 'InstallComponentFailed', message }, now());
      status.phase = 'Failed';
      status.message = message;
      return;
    }
    delete status.message;
    if (!status.plan?.every((step) => done.includes(step.status))) return;
    setCondition(status, { type: 'Installed', status: 'True' }, now());
    status.phase = 'Complete';
  }

  /** The ServiceAccount that a plan must use; undefined for OLM's own; a text says what is wrong. */
  #account(namespace: string): ObjectReference | undefined | string {
    const groups = this.#context.cache
      .list(OperatorGroup, { namespace })
      .filter(({ status }) => (status?.namespaces ?? []).length > 0);
    if (groups.length === 0) return 'no operator group found that is managing this namespace';
    if (groups.length > 1)
      return `more than one operator group(s) are managing this namespace count=${groups.length}`;
    const { spec, status, metadata } = groups[0]!;
    const name = spec?.serviceAccountName;
    if (!name) return undefined;
    return (
      (status?.serviceAccountRef && thawed(status.serviceAccountRef)) ??
      `please make sure the service account exists. sa=${name} operatorgroup=${namespace}/${metadata.name}`
    );
  }

  #clientOf(account: ObjectReference | undefined): Client {
    const { components } = this.#context;
    if (!account) return components.clientAs(olmUser);
    const { namespace, name } = account;
    return components.clientAs({
      user: `system:serviceaccount:${namespace}:${name}`,
      groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`],
      fieldOwner: olmUser.fieldOwner,
    });
  }

  async #write(plan: DeepReadonly<InstallPlan>, status: InstallPlanStatus): Promise<void> {
    if (isDeepStrictEqual(plan.status, status)) return;
    await this.#context.client.status.update(InstallPlan, { ...thawed(plan), status });
  }
}

const failed = { type: 'Installed', status: 'False' } as const;

/** Removes what a former check has said. */
function clearCheck(status: InstallPlanStatus): void {
  for (const condition of status.conditions ?? [])
    if (condition.reason === 'InstallCheckFailed') {
      condition.reason = 'Unknown';
      condition.message = '';
    }
}

function setCondition(status: InstallPlanStatus, condition: InstallPlanCondition, now: string): void {
  const conditions = (status.conditions ??= []);
  const before = conditions.find(({ type }) => type === condition.type);
  const isSame = before?.status === condition.status;
  if (isSame && before.reason === condition.reason && before.message === condition.message) return;
  const next = {
    ...condition,
    lastUpdateTime: now,
    lastTransitionTime: (isSame ? before.lastTransitionTime : undefined) ?? now,
  };
  if (before) conditions[conditions.indexOf(before)] = next;
  else conditions.push(next);
}
