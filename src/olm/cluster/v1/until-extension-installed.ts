import type { Condition } from 'ots-kubernetes';
import type { DeepReadonly } from 'ots-runtime';
import type { Cluster } from '../../../deploy/cluster.ts';
import { type Deadline, poll } from '../../../deploy/poll.ts';
import type { Progress } from '../../../deploy/progress.ts';
import { OtsError } from '../../../errors/ots-error.ts';
import { oneLine } from '../../../output/one-line.ts';
import { ClusterCatalog, ClusterExtension } from '../kinds.ts';
import { read } from '../requests.ts';

interface WaitOptions {
  readonly deadline: Deadline;
  readonly progress: Progress;
}

/**
 * Waits until OLM v1 serves a catalog.
 *
 * @throws OtsError `NOT_SERVING` with the reason of OLM: at once if waiting cannot help, or else at the deadline
 */
export async function untilServing(
  cluster: Cluster,
  name: string,
  { deadline, progress }: WaitOptions,
): Promise<void> {
  let why = 'OLM has not looked at it';
  const serving = await poll(cluster, deadline, async () => {
    const catalog = await read(cluster, ClusterCatalog, name);
    const current = currentConditions(catalog?.metadata.generation, catalog?.status?.conditions);
    const unpacked = current.get('Progressing');
    if (current.get('Serving')?.status === 'True' && unpacked?.reason === 'Succeeded') return true;
    if (unpacked) why = textOf(unpacked);
    progress.waiting(`the ClusterCatalog ${name}: ${why}`);
    return unpacked?.reason === 'Blocked' ? false : undefined;
  });
  if (serving) return;
  const after = serving === undefined ? ` after ${String(deadline)}` : '';
  throw new OtsError('NOT_SERVING', `The ClusterCatalog ${name} is not served${after}: ${oneLine(why)}`, {
    hint: 'Check that OLM can pull the image of --catalog-image, and check its content with ots catalog validate.',
  });
}

/**
 * Waits until OLM v1 has installed a bundle. It does not wait for the Deployments of the operator.
 *
 * @param bundle the name of its ClusterServiceVersion
 * @throws OtsError `NOT_INSTALLED` with the reason of OLM: at once if waiting cannot help, or else at the deadline
 */
export async function untilExtensionInstalled(
  cluster: Cluster,
  name: string,
  bundle: string,
  { deadline, progress }: WaitOptions,
): Promise<void> {
  let why = 'OLM has not looked at the ClusterExtension';
  const installed = await poll(cluster, deadline, async () => {
    const extension = await read(cluster, ClusterExtension, name);
    const { conditions, install } = extension?.status ?? {};
    const current = currentConditions(extension?.metadata.generation, conditions);
    const progressing = current.get('Progressing');
    if (
      current.get('Installed')?.status === 'True' &&
      progressing?.reason === 'Succeeded' &&
      install?.bundle?.name === bundle
    )
      return true;
    if (progressing) why = textOf(progressing);
    progress.waiting(`the ClusterExtension ${name}: ${why}`);
    const isFinal = ['Blocked', 'InvalidConfiguration', 'ProgressDeadlineExceeded'].includes(
      progressing?.reason ?? '',
    );
    return isFinal && progressing?.status === 'False' ? false : undefined;
  });
  if (installed) return;
  const after = installed === undefined ? ` after ${String(deadline)}` : '';
  throw new OtsError('NOT_INSTALLED', `${oneLine(bundle)} is not installed${after}: ${oneLine(why)}`, {
    hint: hintFor(why),
  });
}

function hintFor(why: string): string {
  if (/no bundles? found|no package|not found in/.test(why))
    return 'Put the bundle into the catalog of --catalog-image, with an upgrade from the version that is installed.';
  if (/already exists|not owned|conflict/.test(why))
    return 'Delete the objects that the message names: OLM v1 does not take over what it did not create.';
  if (/CRD|CustomResourceDefinition|crd/.test(why))
    return 'Check the CRDs with ots bundle validate --upgrade-from, and undo what OLM v1 refuses.';
  if (/forbidden|cannot|escalat/.test(why))
    return 'Give the ServiceAccount the rights that the message names.';
  return 'Correct what the message names in the bundle or its catalog, or allow more time with --timeout.';
}

/** The conditions that are about the current generation. */
function currentConditions(
  generation = 0,
  conditions: readonly DeepReadonly<Condition>[] = [],
): ReadonlyMap<string, DeepReadonly<Condition>> {
  const current = conditions.filter(
    ({ observedGeneration = generation }) => observedGeneration >= generation,
  );
  return new Map(current.map((condition) => [condition.type, condition]));
}

function textOf({ reason, message }: DeepReadonly<Condition>): string {
  return [reason, message].filter(Boolean).join(': ');
}
