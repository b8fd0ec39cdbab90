import { CustomResourceDefinition } from 'ots-kubernetes/apiextensions/v1';
import type { UnstructuredObject } from 'ots-runtime';
import type { Cluster } from '../../../deploy/cluster.ts';
import { deleteInOrder } from '../../../deploy/delete-in-order.ts';
import { explainError } from '../../../deploy/explain-error.ts';
import type { Deadline } from '../../../deploy/poll.ts';
import type { Progress } from '../../../deploy/progress.ts';
import { namesFor } from '../catalog-objects.ts';
import { isManaged } from '../installed.ts';
import { ClusterCatalog, ClusterExtension } from '../kinds.ts';
import { listOf, read } from '../requests.ts';

/** How to remove an operator of OLM v1. */
interface RemoveOptions {
  readonly deadline: Deadline;
  readonly progress: Progress;
  /** Reports what it would delete, and changes nothing. Default: false. */
  readonly dryRun?: boolean;
}

/**
 * Removes an operator of OLM v1: its ClusterExtensions, with which OLM removes everything that it has installed, also the CRDs, and the
 * catalog if ots made it.
 *
 * @returns whether there was anything
 * @throws OtsError `NOT_DELETED` for what still exists when the time is up, or with the reason of the server
 */
export async function removeExtensions(
  cluster: Cluster,
  packageName: string,
  { deadline, progress, dryRun = false }: RemoveOptions,
): Promise<boolean> {
  const extensions = await extensionNames(cluster, packageName);
  const { catalog } = namesFor(packageName);
  const found = await read(cluster, ClusterCatalog, catalog);
  const steps = [
    extensions.map((name) => objectOf(ClusterExtension, name)),
    found && isManaged(found) ? [objectOf(ClusterCatalog, catalog)] : [],
  ];
  for (const step of steps) await deleteInOrder(cluster, step, { deadline, progress, dryRun });
  return steps.some((step) => step.length > 0);
}

/** The CRDs that OLM v1 deletes with the extensions of a package. */
export async function crdsOfExtensions(cluster: Cluster, packageName: string): Promise<UnstructuredObject[]> {
  const { client, signal } = cluster;
  const crds: UnstructuredObject[] = [];
  for (const name of await extensionNames(cluster, packageName)) {
    const labelSelector = `olm.operatorframework.io/owner-kind=ClusterExtension,olm.operatorframework.io/owner-name=${name}`;
    try {
      const { items } = await client.list(CustomResourceDefinition, { labelSelector, signal });
      crds.push(...items.map(({ metadata }) => objectOf(CustomResourceDefinition, metadata.name ?? '')));
    } catch (error) {
      signal.throwIfAborted();
      throw explainError(error);
    }
  }
  return crds;
}

async function extensionNames(cluster: Cluster, packageName: string): Promise<string[]> {
  const all = (await listOf(cluster, ClusterExtension)) ?? [];
  return all
    .filter(({ spec }) => spec.source.catalog?.packageName === packageName)
    .flatMap(({ metadata }) => metadata.name ?? []);
}

function objectOf(
  { apiVersion, kind }: { apiVersion: string; kind: string },
  name: string,
): UnstructuredObject {
  return { apiVersion, kind, metadata: { name } };
}
