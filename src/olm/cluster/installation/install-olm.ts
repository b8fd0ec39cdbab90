import { CustomResourceDefinition } from 'ots-kubernetes/apiextensions/v1';
import { NoKindMatchError, type UnstructuredObject } from 'ots-runtime';
import { ApplySet } from '../../../deploy/apply-set.ts';
import { type Cluster, Kinds } from '../../../deploy/cluster.ts';
import { deployObjects } from '../../../deploy/deploy-objects.ts';
import { diffInOrder } from '../../../deploy/diff-in-order.ts';
import { explainError } from '../../../deploy/explain-error.ts';
import { groupOf } from '../../../deploy/object-name.ts';
import { type Deadline, poll } from '../../../deploy/poll.ts';
import type { Progress } from '../../../deploy/progress.ts';
import { OtsError } from '../../../errors/ots-error.ts';
import { oneLine } from '../../../output/one-line.ts';
import { explainCsv } from '../explain-csv.ts';
import { ClusterServiceVersion } from '../kinds.ts';
import type { Problem } from '../problem.ts';
import { read } from '../requests.ts';
import { type Release, definitionNames, namespaceIn } from './release.ts';

/** How to install. */
export interface InstallOptions {
  readonly forceConflicts: boolean;
  readonly deadline: Deadline;
  readonly progress: Progress;
  readonly dryRun: boolean;
}

/** The record of what ots has installed of OLM. */
export function applySetOf(namespace: string): ApplySet {
  return new ApplySet('olm-applyset', namespace);
}

/**
 * Installs OLM, or another version of it over the one that ots has installed, and waits until it runs. A second run finishes one that
 * failed.
 *
 * @param objects its manifests
 * @throws OtsError `FOREIGN_OLM` if something else has installed it, `NO_CERT_MANAGER`, and of each step
 */
export async function installOlm(
  cluster: Cluster,
  objects: readonly UnstructuredObject[],
  release: Release,
  { forceConflicts, deadline, progress, dryRun }: InstallOptions,
): Promise<void> {
  const namespace = namespaceIn(objects, release);
  const applySet = applySetOf(namespace);
  if (!forceConflicts) await refuseForeign(cluster, objects, applySet, release);
  await requireCertManager(cluster, objects);
  const apply = { namespace, progress, forceConflicts };
  if (dryRun) {
    const members = objects.map((object) => applySet.member(object));
    await applySet.prune(cluster, await diffInOrder(cluster, members, apply), { progress, dryRun });
    return;
  }
  await deployObjects(cluster, objects, { ...apply, deadline, applySet, samples: [] });
  for (const { metadata } of objects.filter(({ kind }) => kind === ClusterServiceVersion.kind))
    await untilSucceeded(cluster, metadata.name ?? '', metadata.namespace ?? namespace, {
      deadline,
      progress,
    });
}

/** Two programs that manage the same OLM would undo what the other does. */
async function refuseForeign(
  cluster: Cluster,
  objects: readonly UnstructuredObject[],
  applySet: ApplySet,
  { title }: Release,
): Promise<void> {
  const memberLabel = Object.keys(
    applySet.member({ apiVersion: 'v1', kind: 'Pod', metadata: {} }).metadata.labels!,
  )[0]!;
  for (const name of definitionNames(objects)) {
    const found = await read(cluster, CustomResourceDefinition, name);
    if (!found || found.metadata.labels?.[memberLabel] === applySet.id) continue;
    throw new OtsError(
      'FOREIGN_OLM',
      `${title} is already installed, but not by ots: it has the CRD ${name}`,
      {
        hint: 'Use it as it is, remove it with what installed it, or take it over with --force-conflicts.',
      },
    );
  }
}

/** OLM v1 lets cert-manager make its certificates. */
async function requireCertManager(cluster: Cluster, objects: readonly UnstructuredObject[]): Promise<void> {
  const certificate = objects.find(({ apiVersion }) => groupOf(apiVersion) === 'cert-manager.io');
  if (!certificate) return;
  try {
    await new Kinds(cluster, objects).of(certificate);
  } catch (error) {
    cluster.signal.throwIfAborted();
    if (!(error instanceof NoKindMatchError)) throw explainError(error);
    throw new OtsError('NO_CERT_MANAGER', 'OLM v1 needs cert-manager, which the cluster does not have', {
      hint: 'Install cert-manager (https://cert-manager.io), wait until it runs, and run the command again.',
    });
  }
}

/** OLM runs parts of itself as an operator. */
async function untilSucceeded(
  cluster: Cluster,
  name: string,
  namespace: string,
  { deadline, progress }: Pick<InstallOptions, 'deadline' | 'progress'>,
): Promise<void> {
  let last: Problem = { problem: 'OLM has not looked at it', hint: 'Look at the logs of the pods of OLM.' };
  const succeeded = await poll(cluster, deadline, async () => {
    const csv = await read(cluster, ClusterServiceVersion, name, namespace);
    if (csv?.status?.phase === 'Succeeded') return true;
    if (!csv?.status?.phase) return undefined;
    const { waitsFor, problem } = explainCsv(csv);
    last = problem ?? { ...last, problem: waitsFor };
    progress.waiting(waitsFor);
    return undefined;
  });
  if (succeeded) return;
  throw new OtsError(
    'NOT_AVAILABLE',
    `${name} does not run after ${String(deadline)}: ${oneLine(last.problem)}`,
    {
      hint: oneLine(last.hint),
    },
  );
}
