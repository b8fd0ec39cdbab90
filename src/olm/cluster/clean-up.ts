import { Deployment } from 'ots-kubernetes/apps/v1';
import { CustomResourceDefinition } from 'ots-kubernetes/apiextensions/v1';
import { ConfigMap, Service } from 'ots-kubernetes/core/v1';
import { type DeepReadonly, type Kind, type UnstructuredObject, metadataOf } from 'ots-runtime';
import { type Cluster, Kinds } from '../../deploy/cluster.ts';
import { deleteInOrder } from '../../deploy/delete-in-order.ts';
import { type ObjectReference, referenceTo } from '../../deploy/object-name.ts';
import { Deadline, poll } from '../../deploy/poll.ts';
import type { Progress } from '../../deploy/progress.ts';
import { namesFor } from './catalog-objects.ts';
import { csvsOf, isCopy, isManaged, subscriptionsTo } from './installed.ts';
import { CatalogSource, ClusterServiceVersion, InstallPlan, OperatorGroup, Subscription } from './kinds.ts';
import { listOf, read } from './requests.ts';

/** How to remove an operator. */
export interface CleanUpOptions {
  readonly namespace: string;
  readonly deadline: Deadline;
  readonly progress: Progress;
  /** Also deletes its CRDs, and with them all objects of their kinds. Default: false. */
  readonly deletesCrds?: boolean;
  /** Also deletes the other objects of its bundle that OLM leaves. Default: false. */
  readonly deletesOthers?: boolean;
  /** Reports what it would delete, and changes nothing. Default: false. */
  readonly dryRun?: boolean | undefined;
}

/** What belongs to an operator in a namespace. */
export interface Belongings {
  readonly subscriptions: readonly UnstructuredObject[];
  /** Whether OLM may still be at work on an install plan. Its plans go with the Subscriptions. */
  readonly hasNewPlans: boolean;
  readonly csvs: readonly UnstructuredObject[];
  readonly crds: readonly UnstructuredObject[];
  /** Objects of the bundle for the whole cluster, which OLM does not delete. */
  readonly others: readonly UnstructuredObject[];
  /** What ots made: the catalog and what serves it. */
  readonly catalog: readonly UnstructuredObject[];
}

/** Finds what belongs to an operator: what OLM has installed for a package, and what ots made for it. */
export async function belongingsOf(
  cluster: Cluster,
  packageName: string,
  namespace: string,
): Promise<Belongings> {
  const subscriptions = await subscriptionsTo(cluster, packageName, namespace);
  const csvs = await csvsOf(cluster, packageName, namespace);
  const plans = await plansOf(cluster, subscriptions, namespace);
  const names = csvs.flatMap(({ spec }) =>
    (spec.customresourcedefinitions?.owned ?? []).flatMap(({ name }) => name ?? []),
  );
  return {
    subscriptions: subscriptions.map((each) => objectOf(Subscription, each.metadata.name, namespace)),
    hasNewPlans: plans.some(({ metadata: { creationTimestamp = '' } }) => {
      return Date.now() - Date.parse(creationTimestamp) < newPlanAge;
    }),
    csvs: csvs.map((each) => objectOf(ClusterServiceVersion, each.metadata.name, namespace)),
    crds: [...new Set(names)].map((name) => objectOf(CustomResourceDefinition, name)),
    others: await clusterObjectsOf(cluster, csvs, namespace),
    catalog: await catalogObjectsOf(cluster, packageName, namespace),
  };
}

/**
 * Removes an operator: its Subscription, so OLM does not install it again; its CRDs if asked, while it can still remove finalizers; the
 * ClusterServiceVersion, with which OLM removes the Deployment and the rights; the catalog; and the OperatorGroup if ots made it and no
 * other operator needs it. What exists and stays is reported as kept.
 *
 * @returns whether there was anything
 * @throws OtsError `NOT_DELETED` for what still exists when the time is up, or with the reason of the server
 */
export async function cleanUp(
  cluster: Cluster,
  packageName: string,
  options: CleanUpOptions,
): Promise<boolean> {
  const {
    namespace,
    deadline,
    progress,
    deletesCrds = false,
    deletesOthers = false,
    dryRun = false,
  } = options;
  if (!dryRun) await untilPlansRest(cluster, packageName, options);
  const found = await belongingsOf(cluster, packageName, namespace);
  const groups = await groupsWithoutUse(cluster, found, namespace);
  const removal = [
    found.subscriptions,
    deletesCrds ? found.crds : [],
    found.catalog,
    found.csvs,
    deletesOthers ? found.others : [],
    groups,
  ];
  const deletion = { namespace, deadline, progress, dryRun };
  for (const step of removal) await deleteInOrder(cluster, step, deletion);
  if (found.hasNewPlans && !dryRun) await deleteLateCsvs(cluster, packageName, deletion);
  const reason = 'its objects would be lost; --delete-crds deletes it';
  for (const object of deletesCrds ? [] : await existing(cluster, found.crds))
    progress.object(object, 'kept', { reason });
  for (const object of deletesOthers ? [] : await existing(cluster, found.others))
    progress.object(object, 'kept', { reason: 'OLM does not delete it; --delete-all does' });
  return removal.some((step) => step.length > 0);
}

/** In milliseconds. */
const planTime = 5000;
const lateTime = 1000;
const newPlanAge = 30_000;

/** OLM goes on with an install plan that it has begun, also without its Subscription. */
async function untilPlansRest(
  cluster: Cluster,
  packageName: string,
  { namespace, deadline }: CleanUpOptions,
): Promise<void> {
  const limit = new Deadline(Math.min(planTime, deadline.left));
  await poll(cluster, limit, async () => {
    const plans = await plansOf(cluster, await subscriptionsTo(cluster, packageName, namespace), namespace);
    return plans.some(({ status }) => status?.phase === 'Installing') ? undefined : true;
  });
}

/** A worker of OLM may execute a plan that it has read before, and create the ClusterServiceVersion again. */
async function deleteLateCsvs(
  cluster: Cluster,
  packageName: string,
  options: { namespace: string; deadline: Deadline; progress: Progress },
): Promise<void> {
  const { namespace, deadline } = options;
  await poll(cluster, new Deadline(Math.min(lateTime, deadline.left)), async () => {
    const late = await csvsOf(cluster, packageName, namespace);
    const objects = late.map(({ metadata }) => objectOf(ClusterServiceVersion, metadata.name, namespace));
    await deleteInOrder(cluster, objects, options);
    return undefined;
  });
}

/** The install plans for Subscriptions, and for nothing else. */
async function plansOf(
  cluster: Cluster,
  subscriptions: readonly DeepReadonly<Subscription>[],
  namespace: string,
): Promise<readonly DeepReadonly<InstallPlan>[]> {
  const names = new Set(subscriptions.map(({ metadata }) => metadata.name));
  const plans = (await listOf(cluster, InstallPlan, namespace)) ?? [];
  return plans.filter(({ metadata: { ownerReferences: owners = [] } }) => {
    return (
      owners.length > 0 && owners.every(({ kind, name }) => kind === Subscription.kind && names.has(name))
    );
  });
}

/** Those that ots made for the operators of a namespace, if none is left. */
async function groupsWithoutUse(
  cluster: Cluster,
  { subscriptions, csvs }: Belongings,
  namespace: string,
): Promise<UnstructuredObject[]> {
  const known = new Set([...subscriptions, ...csvs].map(({ kind, metadata }) => `${kind}/${metadata.name}`));
  const otherSubscriptions = ((await listOf(cluster, Subscription, namespace)) ?? []).filter(
    ({ metadata }) => !known.has(`${Subscription.kind}/${metadata.name}`),
  );
  const otherCsvs = ((await listOf(cluster, ClusterServiceVersion, namespace)) ?? []).filter(
    (csv) => !isCopy(csv) && !known.has(`${ClusterServiceVersion.kind}/${csv.metadata.name}`),
  );
  if (otherSubscriptions.length > 0 || otherCsvs.length > 0) return [];
  const groups = (await listOf(cluster, OperatorGroup, namespace)) ?? [];
  return groups.filter(isManaged).map(({ metadata }) => objectOf(OperatorGroup, metadata.name, namespace));
}

async function catalogObjectsOf(
  cluster: Cluster,
  packageName: string,
  namespace: string,
): Promise<UnstructuredObject[]> {
  const { catalog: name } = namesFor(packageName);
  const found: UnstructuredObject[] = [];
  for (const kind of [CatalogSource, Deployment, Service, ConfigMap]) {
    const object = await read(cluster, metadataOf(kind), name, namespace);
    if (object && isManaged(object)) found.push(objectOf(kind, name, namespace));
  }
  return found;
}

/** Kinds of bundles without a namespace. Of those that a ClusterServiceVersion describes, OLM deletes its own. */
const clusterKinds = new Set([
  'rbac.authorization.k8s.io/v1 ClusterRole',
  'rbac.authorization.k8s.io/v1 ClusterRoleBinding',
  'scheduling.k8s.io/v1 PriorityClass',
]);

/** What OLM created for the whole cluster from the files of the bundles, as its install plans say. */
async function clusterObjectsOf(
  cluster: Cluster,
  csvs: readonly DeepReadonly<ClusterServiceVersion>[],
  namespace: string,
): Promise<UnstructuredObject[]> {
  const names = new Set(csvs.map(({ metadata }) => metadata.name));
  const plans = (await listOf(cluster, InstallPlan, namespace)) ?? [];
  const steps = plans.flatMap(({ status }) => status?.plan ?? []);
  const found = new Map<string, UnstructuredObject>();
  for (const { resolving, resource = {} } of steps) {
    const { group = '', version = '', kind = '', name = '' } = resource;
    const apiVersion = `${group}/${version}`;
    if (!clusterKinds.has(`${apiVersion} ${kind}`) || !names.has(resolving)) continue;
    const object = { apiVersion, kind, metadata: { name } };
    const live = await readAny(cluster, object);
    // OLM marks what it will delete with the ClusterServiceVersion.
    if (live && live.metadata.labels?.['olm.owner'] === undefined) found.set(`${kind}/${name}`, object);
  }
  return [...found.values()];
}

async function existing(
  cluster: Cluster,
  objects: readonly UnstructuredObject[],
): Promise<ObjectReference[]> {
  const found: ObjectReference[] = [];
  for (const object of objects) if (await readAny(cluster, object)) found.push(referenceTo(object));
  return found;
}

async function readAny(cluster: Cluster, object: UnstructuredObject) {
  return read(cluster, await new Kinds(cluster, []).of(object), object.metadata.name ?? '');
}

function objectOf({ apiVersion, kind }: Kind, name = '', namespace?: string): UnstructuredObject {
  return { apiVersion, kind, metadata: { name, ...(namespace !== undefined && { namespace }) } };
}
