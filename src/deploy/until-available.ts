import { Deployment } from 'ots-kubernetes/apps/v1';
import type { DeepReadonly } from 'ots-runtime';
import { OtsError } from '../errors/ots-error.ts';
import { oneLine } from '../output/one-line.ts';
import type { Cluster } from './cluster.ts';
import { type Places, explainDeployment } from './explain-deployment.ts';
import { explainError } from './explain-error.ts';
import { type ObjectReference, objectName } from './object-name.ts';
import { type Deadline, poll } from './poll.ts';
import type { Progress } from './progress.ts';

/** Between two explanations, in milliseconds: each takes several requests. */
const explainInterval = 1000;

/**
 * Waits until a Deployment has rolled out: all of its pods are of the newest revision, and available.
 *
 * @throws OtsError `NOT_AVAILABLE` with the cause as far as the cluster tells it: at the deadline, or at once if waiting cannot
 *   help; its details have the `evidence`, lines from events and logs
 */
export async function untilAvailable(
  cluster: Cluster,
  deployment: ObjectReference & { readonly namespace: string },
  { deadline, progress, places }: { deadline: Deadline; progress: Progress; places?: Places },
): Promise<void> {
  const name = objectName(deployment);
  let explainedAt = Number.NEGATIVE_INFINITY;
  let lacks: string | undefined;
  const rolledOut = await poll(cluster, deadline, async () => {
    lacks = await whatLacks(cluster, deployment);
    if (lacks === undefined) return true;
    if (lacks === exceeded) return false;
    if (performance.now() - explainedAt < explainInterval) return undefined;
    explainedAt = performance.now();
    const explanation = await explainDeployment(cluster, deployment, places);
    progress.waiting(`${name}: ${explanation?.problem ?? lacks}`);
    return explanation?.isFinal ? false : undefined;
  });
  if (rolledOut) return;
  const explanation = await explainDeployment(cluster, deployment, places);
  const after = rolledOut === undefined ? ` after ${String(deadline)}` : '';
  throw new OtsError(
    'NOT_AVAILABLE',
    `${name} is not available${after}: ${oneLine(explanation?.problem ?? lacks ?? exceeded)}`,
    {
      hint: oneLine(explanation?.hint ?? 'Allow more time with --timeout, or look at the pods with kubectl.'),
      details: { evidence: explanation?.evidence.map(oneLine) ?? [] },
    },
  );
}

const exceeded = 'its pods have not become available within its progressDeadlineSeconds';

/** What the rollout of a Deployment lacks to be complete; undefined if it is. */
export async function whatLacks(
  { client, signal }: Cluster,
  deployment: ObjectReference,
): Promise<string | undefined> {
  const { name, namespace } = deployment;
  try {
    const found = await client.get(Deployment, { name, namespace }, { signal });
    return found ? lackOf(found) : 'it does not exist';
  } catch (error) {
    signal.throwIfAborted();
    throw explainError(error, deployment);
  }
}

function lackOf({ metadata, spec, status = {} }: DeepReadonly<Deployment>): string | undefined {
  const { conditions = [], observedGeneration = 0, updatedReplicas = 0, replicas = 0 } = status;
  if (observedGeneration < (metadata.generation ?? 0)) return 'its controller has not seen it yet';
  const progressing = conditions.find(({ type }) => type === 'Progressing');
  if (progressing?.reason === 'ProgressDeadlineExceeded') return exceeded;
  const wanted = spec?.replicas ?? 1;
  if (updatedReplicas < wanted) return `${updatedReplicas} of ${wanted} pods are up to date`;
  if (replicas > updatedReplicas) return `${replicas - updatedReplicas} old pods are still there`;
  const { availableReplicas = 0 } = status;
  return availableReplicas < wanted ? `${availableReplicas} of ${wanted} pods are available` : undefined;
}
