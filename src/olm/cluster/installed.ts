import type { DeepReadonly, KubernetesObject } from 'ots-runtime';
import type { Cluster } from '../../deploy/cluster.ts';
import { isObject, textOf, valueOf } from '../bundle/json.ts';
import { managedLabel } from './catalog-objects.ts';
import { ClusterServiceVersion, Subscription } from './kinds.ts';
import { listOf } from './requests.ts';

/** Whether `ots run bundle` made an object. */
export function isManaged({ metadata }: DeepReadonly<KubernetesObject>): boolean {
  return Object.entries(managedLabel).every(([key, value]) => metadata.labels?.[key] === value);
}

/** The Subscriptions to a package in a namespace. */
export async function subscriptionsTo(
  cluster: Cluster,
  packageName: string,
  namespace: string,
): Promise<readonly DeepReadonly<Subscription>[]> {
  const all = (await listOf(cluster, Subscription, namespace)) ?? [];
  return all.filter(({ spec }) => spec.name === packageName);
}

/**
 * The ClusterServiceVersions of a package in a namespace: those that its Subscriptions name, and those that say so themselves. Copies of
 * operators of other namespaces do not count.
 */
export async function csvsOf(
  cluster: Cluster,
  packageName: string,
  namespace: string,
): Promise<readonly DeepReadonly<ClusterServiceVersion>[]> {
  const subscriptions = await subscriptionsTo(cluster, packageName, namespace);
  const named = new Set(
    subscriptions.flatMap(({ status }) => [status?.installedCSV, status?.currentCSV]).filter(Boolean),
  );
  const all = (await listOf(cluster, ClusterServiceVersion, namespace)) ?? [];
  return all.filter(
    (csv) => !isCopy(csv) && (named.has(csv.metadata.name) || packageOf(csv) === packageName),
  );
}

/** Whether OLM has copied a ClusterServiceVersion from another namespace, where its operator runs. */
export function isCopy({ metadata: { labels } }: DeepReadonly<ClusterServiceVersion>): boolean {
  return labels?.['olm.copiedFrom'] !== undefined;
}

/** OLM writes the properties of a bundle into an annotation. */
function packageOf({ metadata }: DeepReadonly<ClusterServiceVersion>): string | undefined {
  try {
    const value: unknown = JSON.parse(metadata.annotations?.['operatorframework.io/properties'] ?? '{}');
    const properties = valueOf(value, 'properties');
    if (!Array.isArray(properties)) return undefined;
    const property: unknown = properties.find((each) => isObject(each) && each['type'] === 'olm.package');
    return textOf(valueOf(property, 'value'), 'packageName') || undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
