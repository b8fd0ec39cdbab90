import type { UnstructuredObject } from 'ots-runtime';
import { applyInOrder } from '../../deploy/apply-in-order.ts';
import type { Cluster } from '../../deploy/cluster.ts';
import { diffInOrder } from '../../deploy/diff-in-order.ts';
import type { Places } from '../../deploy/explain-deployment.ts';
import { type ObjectReference, referenceTo } from '../../deploy/object-name.ts';
import { Deadline, poll } from '../../deploy/poll.ts';
import type { Progress } from '../../deploy/progress.ts';
import { untilAvailable } from '../../deploy/until-available.ts';
import { OtsError } from '../../errors/ots-error.ts';
import { oneLine } from '../../output/one-line.ts';
import type { Bundle } from '../bundle/bundle.ts';
import {
  catalogOf,
  catalogSource,
  channelOf,
  managedLabel,
  namesFor,
  serverObjects,
} from './catalog-objects.ts';
import { requireNamespace, requireOlm, requireRights, targetsOfNewGroup } from './check-namespace.ts';
import { cleanUp } from './clean-up.ts';
import { isManaged, subscriptionsTo } from './installed.ts';
import { ClusterServiceVersion, Subscription } from './kinds.ts';
import { observeCatalog } from './observe.ts';
import { orUndo } from './or-undo.ts';
import { read } from './requests.ts';
import { untilInstalled } from './until-installed.ts';
import { upgradeProblem } from './upgrade-problem.ts';

/** How to run a bundle. */
export interface RunOptions {
  readonly namespace: string;
  /** Of the program that serves the catalog. */
  readonly serverImage: string;
  /** The name of a Secret to pull that image with. */
  readonly pullSecret?: string | undefined;
  /** Of the bundle; empty if it has none. */
  readonly image: string;
  readonly installMode?: string | undefined;
  readonly deadline: Deadline;
  readonly progress: Progress;
  /** Keeps what a failed run has created. Default: false. */
  readonly keep?: boolean | undefined;
  /** Checks, reports what would be applied, and changes nothing. Default: false. */
  readonly dryRun?: boolean | undefined;
  /** For what a failed run leaves to do; aborts when the user does not want to wait for it. */
  readonly undoSignal: () => AbortSignal;
  /** Learns that a failed run has deleted what it had created. */
  readonly onUndone: () => void;
}

/** In milliseconds. */
const connectTime = 30_000;

const serverPlaces: Places = { manifest: 'the command', image: '--catalog-server' };

/**
 * Installs a bundle with OLM v0: serves it as a catalog, subscribes to it, and waits until the operator runs. A failed run deletes what it
 * has created.
 *
 * @throws OtsError of the checks, before anything changes: `NO_OLM`, `NO_NAMESPACE`, `OPERATOR_GROUPS`, `INSTALL_MODE`, `NO_RIGHTS`,
 *   `ALREADY_INSTALLED`, `FOREIGN_SUBSCRIPTION`; `NOT_AVAILABLE` for the catalog, `NOT_INSTALLED` for the operator
 */
export async function runBundle(cluster: Cluster, bundle: Bundle, options: RunOptions): Promise<void> {
  const { namespace, progress } = options;
  const packageName = bundle.package;
  await requireOlm(cluster, namespace);
  await requireNamespace(cluster, namespace);
  const csv = bundle.csv?.csv ?? {};
  const targets = await targetsOfNewGroup(cluster, csv, namespace, options.installMode);
  await requireRights(cluster, namespace, targets !== undefined);
  const hasLeftovers = await checkNotInstalled(cluster, bundle, namespace);
  const server = serverObjectsOf(bundle, options);
  const wish = wishFor(bundle, namespace, targets);
  if (options.dryRun) {
    await diffInOrder(cluster, [...server, ...wish], { namespace, progress: withoutContent(progress) });
    return;
  }
  if (hasLeftovers) {
    progress.waiting('what an earlier run left to be deleted');
    await cleanUp(cluster, packageName, options);
    // The OperatorGroup may have been a part of it.
    return runBundle(cluster, bundle, options);
  }
  const undo = (undoCluster: Cluster, deadline: Deadline) =>
    cleanUp(undoCluster, packageName, { namespace, progress, deadline });
  await orUndo(cluster, { ...options, packageName, undo }, async () => {
    await serve(cluster, server, options);
    const into = { namespace, deadline: options.deadline, progress };
    const [source, ...others] = wish;
    await applyInOrder(cluster, [source!], into);
    await untilConnected(cluster, bundle, options);
    await applyInOrder(cluster, others, into);
    await untilInstalled(cluster, wantedOf(bundle, namespace), options);
  });
}

/**
 * Upgrades an operator that {@link runBundle} installed: serves the new version in its catalog, and waits until it runs. OLM has no way
 * back, so a failed upgrade leaves what there is.
 *
 * @throws OtsError `NOT_RUN` if the operator was not installed by ots, `NOT_READY` if OLM would not upgrade it now, `NO_UPGRADE` if the
 *   bundle does not upgrade the version that is installed, and those of {@link runBundle}
 */
export async function upgradeBundle(cluster: Cluster, bundle: Bundle, options: RunOptions): Promise<void> {
  const { namespace, progress, deadline } = options;
  await requireOlm(cluster, namespace);
  await requireNamespace(cluster, namespace);
  await requireRights(cluster, namespace, false);
  const installed = await installedBy(cluster, bundle, namespace);
  const server = serverObjectsOf(bundle, options);
  const wish = [subscription(bundle, namespace)];
  if (options.dryRun) {
    await diffInOrder(cluster, [...server, ...wish], { namespace, progress: withoutContent(progress) });
    return;
  }
  // The Subscription first: OLM writes its status as soon as it sees the new catalog.
  await applyInOrder(cluster, wish, { namespace, deadline, progress });
  await serve(cluster, server, options);
  await untilInstalled(
    cluster,
    { ...wantedOf(bundle, namespace), formerPlan: installed.status?.installPlanRef?.name },
    options,
  );
}

/**
 * Waits until OLM is connected to the new catalog. Before, it could resolve a Subscription with what it remembers of an earlier catalog of
 * the same name. Old versions of OLM may not say that they are connected, so this ends without an error.
 */
async function untilConnected(
  cluster: Cluster,
  bundle: Bundle,
  { namespace, deadline, progress }: RunOptions,
): Promise<void> {
  const { catalog } = namesFor(bundle.package);
  await poll(cluster, new Deadline(Math.min(connectTime, deadline.left)), async () => {
    const found = await observeCatalog(cluster, { catalog, namespace });
    if (found) progress.waiting(found.waitsFor);
    return found ? undefined : true;
  });
}

/** The catalog comes first. @param targets of a new OperatorGroup; undefined if there is one */
function wishFor(
  bundle: Bundle,
  namespace: string,
  targets: readonly string[] | undefined,
): UnstructuredObject[] {
  return [
    catalogSource(bundle.package, namespace),
    ...(targets ? [operatorGroup(bundle.package, namespace, targets)] : []),
    subscription(bundle, namespace),
  ];
}

function wantedOf(bundle: Bundle, namespace: string) {
  const names = namesFor(bundle.package);
  return { namespace, subscription: names.subscription, catalog: names.catalog, csv: bundle.name };
}

function serverObjectsOf(bundle: Bundle, options: RunOptions): UnstructuredObject[] {
  const { namespace, serverImage: image, pullSecret } = options;
  const content = catalogOf(bundle, options.image);
  return serverObjects(content, { packageName: bundle.package, namespace, image, pullSecret });
}

/** Starts what serves the catalog, and waits until it answers. */
async function serve(
  cluster: Cluster,
  objects: readonly UnstructuredObject[],
  { namespace, deadline, progress }: RunOptions,
): Promise<void> {
  await applyInOrder(cluster, objects, { namespace, deadline, progress });
  const deployment = referenceTo(objects.find(({ kind }) => kind === 'Deployment')!);
  await untilAvailable(cluster, { ...deployment, namespace }, { deadline, progress, places: serverPlaces });
}

/**
 * Checks that the package is not installed in the namespace.
 *
 * @returns whether an earlier run of ots left something there
 */
async function checkNotInstalled(cluster: Cluster, bundle: Bundle, namespace: string): Promise<boolean> {
  const { package: packageName, name } = bundle;
  const subscriptions = await subscriptionsTo(cluster, packageName, namespace);
  const foreign = subscriptions.find((each) => !isManaged(each));
  if (foreign)
    throw new OtsError(
      'FOREIGN_SUBSCRIPTION',
      `The Subscription ${foreign.metadata.name} in ${namespace} already installs ${oneLine(packageName)}`,
      {
        hint: `Run ots cleanup ${oneLine(packageName)} -n ${namespace} first, or choose another namespace with --namespace.`,
      },
    );
  const found = await read(cluster, ClusterServiceVersion, name, namespace);
  const [own] = subscriptions;
  if (!own && !found) return false;
  const current = own?.status?.installedCSV ?? name;
  const phase = (await read(cluster, ClusterServiceVersion, current, namespace))?.status?.phase;
  if (phase !== 'Succeeded') return true;
  const how =
    current === name
      ? `Run ots cleanup ${oneLine(packageName)} -n ${namespace} first.`
      : 'Upgrade it with ots run bundle-upgrade, or remove it with ots cleanup.';
  throw new OtsError('ALREADY_INSTALLED', `${oneLine(current)} is already installed in ${namespace}`, {
    hint: how,
  });
}

async function installedBy(cluster: Cluster, bundle: Bundle, namespace: string) {
  const { package: packageName, name } = bundle;
  const [first] = await subscriptionsTo(cluster, packageName, namespace);
  if (!first || !isManaged(first))
    throw new OtsError(
      'NOT_RUN',
      first
        ? `The Subscription ${first.metadata.name} to ${oneLine(packageName)} in ${namespace} is not one of ots`
        : `${oneLine(packageName)} is not installed in ${namespace}`,
      {
        hint: first
          ? 'Publish the new version in the catalog of the Subscription: ots upgrades only what ots run bundle installed.'
          : 'Install the version before with ots run bundle, or name its namespace with --namespace.',
      },
    );
  const current = first.status?.installedCSV ?? '';
  const csv = await read(cluster, ClusterServiceVersion, current === '' ? name : current, namespace);
  if (csv?.status?.phase !== 'Succeeded')
    throw new OtsError(
      'NOT_READY',
      `${oneLine(current || packageName)} is not ready: ${csv?.status?.phase ?? 'it is not installed'}`,
      {
        hint: `OLM upgrades only operators that run. Run ots cleanup ${oneLine(packageName)} -n ${namespace}, and ots run bundle again.`,
      },
    );
  const problem = upgradeProblem(bundle, { name: current, version: csv.spec.version ?? '' });
  if (problem) throw new OtsError('NO_UPGRADE', problem.problem, { hint: problem.hint });
  return first;
}

function operatorGroup(
  packageName: string,
  namespace: string,
  targetNamespaces: readonly string[],
): UnstructuredObject {
  return {
    apiVersion: 'operators.coreos.com/v1',
    kind: 'OperatorGroup',
    metadata: { name: namesFor(packageName).operatorGroup, namespace, labels: { ...managedLabel } },
    spec: targetNamespaces.length > 0 ? { targetNamespaces } : {},
  };
}

/** OLM asks for an approval if any Subscription of the namespace wants one, so this one does not force that upon others. */
function subscription(bundle: Bundle, namespace: string): UnstructuredObject {
  const names = namesFor(bundle.package);
  return {
    apiVersion: Subscription.apiVersion,
    kind: Subscription.kind,
    metadata: { name: names.subscription, namespace, labels: { ...managedLabel } },
    spec: {
      name: bundle.package,
      channel: channelOf(bundle),
      source: names.catalog,
      sourceNamespace: namespace,
      startingCSV: bundle.name,
      installPlanApproval: 'Automatic',
    },
  };
}

/** Leaves out the diff of a catalog's content, which says nothing to people. */
function withoutContent(progress: Progress): Progress {
  return {
    object: (reference: ObjectReference, action, details) =>
      progress.object(reference, action, reference.kind === 'ConfigMap' ? {} : details),
    waiting: (text) => progress.waiting(text),
  };
}
