import { compareVersions } from 'ots-apimachinery/version-priority';
import type { Kind, KubernetesObject } from 'ots-kubernetes';
import type { ClusterRole } from 'ots-kubernetes/rbac/v1';
import type { RestMapper, UnstructuredObject } from 'ots-runtime';
import { isDefinition, kindsOfDefinition } from '../../deploy/cluster.ts';

/** What controllers of Kubernetes make for operators. */
const workloads = [
  { group: 'apps', resource: 'deployments' },
  { group: 'apps', resource: 'replicasets' },
  { group: 'apps', resource: 'statefulsets' },
  { group: 'apps', resource: 'daemonsets' },
  { group: 'batch', resource: 'jobs' },
  { group: 'batch', resource: 'cronjobs' },
  { group: '', resource: 'pods' },
  { group: '', resource: 'persistentvolumeclaims' },
  { group: 'events.k8s.io', resource: 'events' },
];

/** Kinds that many write to all the time and that say little about an operator. */
const ignored = new Set(['Event', 'Lease', 'Namespace', 'Node', 'CustomResourceDefinition']);

/** The kinds that a session shows. */
export interface WatchedKinds {
  /** Those that the project defines. */
  readonly roots: readonly Kind<UnstructuredObject>[];
  /** Those that its roles name, and what they lead to. */
  readonly others: readonly Kind<UnstructuredObject>[];
}

/** @param installed the project's definitions and roles */
export async function watchedKinds(
  mapper: RestMapper,
  installed: readonly KubernetesObject[],
): Promise<WatchedKinds> {
  const granted = installed.flatMap((object) => (isRole(object) ? rulesOf(object) : []));
  const find = async (wanted: readonly { group: string; resource: string }[]) => {
    const found = await Promise.all(wanted.map((each) => mapper.kindsOf(each).catch(() => [])));
    return found.flatMap(([kind]) => (kind ? [kind] : []));
  };
  // Discovery may not have them yet.
  const definitions = installed.map((object) => object as UnstructuredObject).filter(isDefinition);
  const others = await find(granted);
  return {
    roots: definitions.flatMap((definition) => preferred(kindsOfDefinition(definition))),
    others: [...others.filter(({ kind }) => !ignored.has(kind)), ...(await find(workloads))],
  };
}

/** The kind of the version that clients prefer; none if no version is served. */
function preferred(kinds: readonly Kind<UnstructuredObject>[]): Kind<UnstructuredObject>[] {
  return kinds.toSorted((a, b) => compareVersions(versionOf(a), versionOf(b))).slice(0, 1);
}

function versionOf({ apiVersion }: Kind<UnstructuredObject>): string {
  return apiVersion.slice(apiVersion.indexOf('/') + 1);
}

function isRole(object: KubernetesObject): object is ClusterRole {
  return object.kind === 'ClusterRole' || object.kind === 'Role';
}

/** The resources whose objects a role may read, without subresources. */
function rulesOf({ rules }: ClusterRole): { group: string; resource: string }[] {
  return (rules ?? [])
    .filter(({ verbs }) => verbs.includes('watch') || verbs.includes('*'))
    .flatMap(({ apiGroups = [], resources = [] }) =>
      apiGroups.flatMap((group) => resources.map((resource) => ({ group, resource }))),
    )
    .filter(({ group, resource }) => group !== '*' && /^[a-z]+$/.test(resource));
}
