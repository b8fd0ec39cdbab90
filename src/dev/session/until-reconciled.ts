import { setTimeout as delay } from 'node:timers/promises';
import type { KubernetesObject } from 'ots-kubernetes';
import { toMilliseconds } from 'ots-runtime';
import { OtsError } from '../../errors/ots-error.ts';
import type { DevState, ObjectState } from '../model/dev-state.ts';
import type { DevStore } from '../store/dev-store.ts';

/** For how long nothing must happen until a cluster counts as quiet, in milliseconds. */
const quietMs = 500;
/** How much time must pass in a cluster whose time passes fast, in seconds: something may always be due. */
const fastSeconds = 3600;

/** What to wait for. */
export interface UntilReconciledOptions {
  /** A duration. Default: 60 s */
  readonly timeout?: string | undefined;
  readonly clock: 'real' | 'fast';
}

/**
 * Waits until every sample is reconciled without an error, and nothing more happens. If time passes fast, waits until an hour has
 * passed, too.
 *
 * @param samples what was applied; undefined before that
 * @throws OtsError `NOT_RECONCILED` with the reason after the timeout, or at once for what cannot become better
 */
export async function untilReconciled(
  store: DevStore,
  samples: () => readonly KubernetesObject[] | undefined,
  { timeout = '60s', clock }: UntilReconciledOptions,
): Promise<void> {
  let changedAt = Date.now();
  const unsubscribe = store.subscribe(({ type }) => {
    if (type === 'object' || type === 'reconcile' || type === 'operator') changedAt = Date.now();
  });
  const isQuiet = () =>
    clock === 'fast' ? store.state.cluster.ahead >= fastSeconds : Date.now() - changedAt >= quietMs;
  const deadline = Date.now() + toMilliseconds(timeout);
  try {
    for (;;) {
      const reason = unreconciled(store.state, samples());
      if (reason === undefined && isQuiet()) return;
      if (Date.now() > deadline || hasFailed(store.state)) throw notReconciled(reason, store.state, timeout);
      await delay(50);
    }
  } finally {
    unsubscribe();
  }
}

/** Whether waiting does not help. */
function hasFailed({ operator, problems }: DevState): boolean {
  return (
    operator.phase === 'crashed' ||
    problems.some(({ source }) => source === 'install' || source === 'samples')
  );
}

/** What is missing; undefined when all is reconciled. */
function unreconciled(state: DevState, samples: readonly KubernetesObject[] | undefined): string | undefined {
  if (state.operator.phase !== 'running') return `the operator is ${state.operator.phase}`;
  if (!samples) return 'the samples are not applied';
  const kinds = new Map(state.queues.map(({ controller, kind }) => [controller, kind]));
  for (const { kind, metadata } of samples.filter(({ metadata: { uid = '' } }) => uid in state.objects)) {
    const name = `${kind} ${metadata.name}`;
    const reconciles = state.reconciles.filter(
      (each) =>
        each.name === metadata.name &&
        (each.namespace ?? '') === (metadata.namespace ?? '') &&
        (kinds.get(each.controller) ?? kind) === kind,
    );
    const last = reconciles.at(-1);
    if (!last) return `${name} was not reconciled`;
    const { result } = reconciles.findLast((each) => each.result) ?? {};
    if (result?.outcome === 'error') return `${name} fails: ${result.error}`;
    if (!last.result) return `${name} is being reconciled`;
  }
  const job = Object.values(state.objects).find((object) => isRunningJob(object));
  if (job) return `Job ${job.name} is running`;
  const busy = state.queues.flatMap(({ entries }) => entries).find((entry) => entry.state !== 'requeue');
  return busy && `${busy.name} is ${busy.state}`;
}

/** Whether something happens when it ends. Conditions of the others: https://kubernetes.io/docs/concepts/workloads/controllers/job/ */
function isRunningJob({ kind, apiVersion, conditions, isGone }: ObjectState): boolean {
  if (kind !== 'Job' || apiVersion !== 'batch/v1' || isGone) return false;
  return !conditions.some(
    ({ type, status }) => /^(Complete|Failed|Suspended)$/.test(type) && status === 'True',
  );
}

function notReconciled(reason: string | undefined, { problems }: DevState, timeout: string): OtsError {
  const [problem] = problems;
  return new OtsError(
    'NOT_RECONCILED',
    problem?.message ??
      (reason ? `After ${timeout}, ${reason}` : `The cluster is not quiet after ${timeout}`),
    { hint: problem?.hint ?? 'Run ots dev without --once to see what happens.' },
  );
}
