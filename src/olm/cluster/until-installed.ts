import { type DeepReadonly, isConflict } from 'ots-runtime';
import type { Cluster } from '../../deploy/cluster.ts';
import { explainError } from '../../deploy/explain-error.ts';
import { type Deadline, poll } from '../../deploy/poll.ts';
import type { Progress } from '../../deploy/progress.ts';
import { OtsError } from '../../errors/ots-error.ts';
import { oneLine } from '../../output/one-line.ts';
import { InstallPlan } from './kinds.ts';
import { type Wanted, observe, othersIn } from './observe.ts';
import type { Problem } from './problem.ts';
import { referenceOf } from './requests.ts';

/** Between two searches for causes, in milliseconds: each takes several requests. */
const thoroughInterval = 1000;

/** How long a problem must last to be shown, in milliseconds: OLM reports some that go away by themselves. */
const minProblemTime = 3000;

/** How to wait. */
interface WaitOptions {
  readonly deadline: Deadline;
  readonly progress: Progress;
}

/**
 * Waits until OLM has installed an operator, and approves its install plan if that needs an approval.
 *
 * @throws OtsError `NOT_INSTALLED` with the cause as far as the cluster tells it: at the deadline, or at once if waiting cannot help; its
 *   details have the `evidence`, lines from events and logs
 * @throws OtsError `OTHER_OPERATORS` if the install plan would also upgrade another operator
 */
export async function untilInstalled(
  cluster: Cluster,
  wanted: Wanted,
  { deadline, progress }: WaitOptions,
): Promise<void> {
  let last: Problem | undefined;
  let lastChange = performance.now();
  let thoroughAt = performance.now();
  const installed = await poll(cluster, deadline, async () => {
    const isThorough = performance.now() - thoroughAt >= thoroughInterval;
    if (isThorough) thoroughAt = performance.now();
    const { isInstalled, waitsFor, toApprove, problem } = await observe(cluster, wanted, isThorough);
    if (isInstalled) return true;
    if (toApprove) await approve(cluster, wanted, toApprove, progress);
    // What only a thorough look finds lasts until the next one.
    if (isThorough || problem) {
      if (problem?.problem !== last?.problem) lastChange = performance.now();
      last = problem;
    }
    const time = performance.now() - lastChange;
    progress.waiting(last && time >= minProblemTime ? `${waitsFor}: ${last.problem}` : waitsFor);
    const isFinal = problem?.isFinal ?? (last?.giveUpAfter !== undefined && time >= last.giveUpAfter);
    return isFinal ? false : undefined;
  });
  if (installed) return;
  if (installed === undefined) last = (await observe(cluster, wanted, true)).problem ?? last;
  throw notInstalled(wanted, last, installed === undefined ? deadline : undefined);
}

function notInstalled({ csv }: Wanted, found: Problem | undefined, deadline: Deadline | undefined): OtsError {
  const after = deadline ? ` after ${String(deadline)}` : '';
  const problem = found?.problem ?? 'OLM is still at it';
  return new OtsError('NOT_INSTALLED', `${oneLine(csv)} is not installed${after}: ${oneLine(problem)}`, {
    hint: oneLine(found?.hint ?? 'Allow more time with --timeout.'),
    details: { evidence: (found?.evidence ?? []).map(oneLine) },
  });
}

async function approve(
  cluster: Cluster,
  wanted: Wanted,
  plan: DeepReadonly<InstallPlan>,
  progress: Progress,
): Promise<void> {
  const { client, signal } = cluster;
  const { name = '', namespace = '' } = plan.metadata;
  const reference = referenceOf(InstallPlan, name, namespace);
  const [other] = await othersIn(cluster, wanted, plan);
  if (other !== undefined)
    throw new OtsError(
      'OTHER_OPERATORS',
      `The install plan ${name} would also upgrade to ${oneLine(other)}`,
      {
        hint: `Approve it yourself, with kubectl -n ${namespace} patch installplan ${name} --type merge -p '{"spec":{"approved":true}}', or use another namespace.`,
      },
    );
  try {
    await client.patch(InstallPlan, { name, namespace }, { spec: { approved: true } } as never, { signal });
    progress.object(reference, 'configured', { reason: 'approved' });
  } catch (error) {
    signal.throwIfAborted();
    // OLM has just written it: the next look decides.
    if (isConflict(error)) return;
    throw explainError(error, reference);
  }
}
