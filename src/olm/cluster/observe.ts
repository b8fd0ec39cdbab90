import { Event } from 'ots-kubernetes/core/v1';
import { type DeepReadonly, isApiError } from 'ots-runtime';
import type { Cluster } from '../../deploy/cluster.ts';
import { type Places, explainDeployment } from '../../deploy/explain-deployment.ts';
import { explainError } from '../../deploy/explain-error.ts';
import { oneLine } from '../../output/one-line.ts';
import { explainCsv } from './explain-csv.ts';
import {
  CatalogSource,
  ClusterServiceVersion,
  InstallPlan,
  type OlmCondition,
  Subscription,
} from './kinds.ts';
import type { Problem } from './problem.ts';
import { listOf, read } from './requests.ts';
import { explainUnpacking } from './explain-unpacking.ts';

/** An operator that OLM is to install. */
export interface Wanted {
  readonly namespace: string;
  readonly subscription: string;
  readonly catalog: string;
  /** The name of its ClusterServiceVersion. */
  readonly csv: string;
  /** The install plan of the version before, which says nothing about this one. */
  readonly formerPlan?: string | undefined;
}

/** How far OLM is. */
export interface Observation {
  readonly isInstalled?: boolean;
  /** What it does now, after "waiting for". */
  readonly waitsFor: string;
  /** A plan that needs an approval. */
  readonly toApprove?: DeepReadonly<InstallPlan>;
  readonly problem?: Problem | undefined;
}

/** How long OLM may need to see everything that a resolution depends on, in milliseconds. */
const resolutionTime = 20_000;

/** Where the author of a bundle changes what is wrong with its pods. */
export const bundlePlaces: Places = {
  manifest: 'the Deployment in config/ or the ClusterServiceVersion',
  image: 'another version of the bundle',
};

/**
 * Looks how far OLM is with an operator.
 *
 * @param isThorough also looks for causes that need further requests
 * @throws OtsError if the server refuses or does not respond
 */
export async function observe(cluster: Cluster, wanted: Wanted, isThorough: boolean): Promise<Observation> {
  const { namespace, csv, formerPlan } = wanted;
  const found = await read(cluster, ClusterServiceVersion, csv, namespace);
  const isRunning = found?.status?.phase === 'Succeeded';
  if (found && !isRunning) {
    const { waitsFor, problem } = explainCsv(found);
    if (problem?.isFinal || !isThorough) return { waitsFor, problem };
    return { waitsFor, problem: (await explainDeployments(cluster, found)) ?? problem };
  }
  const subscription = await read(cluster, Subscription, wanted.subscription, namespace);
  if (!subscription) {
    const problem = `the Subscription ${wanted.subscription} was deleted`;
    return {
      waitsFor: 'the Subscription',
      problem: { problem, hint: 'Run the command again.', isFinal: true },
    };
  }
  const { installPlanRef, currentCSV, installedCSV } = subscription.status ?? {};
  // Before OLM has written it, it would not upgrade the operator.
  if (isRunning) return { isInstalled: installedCSV === csv, waitsFor: 'OLM to update the Subscription' };
  if (installPlanRef?.name !== undefined && installPlanRef.name !== formerPlan && currentCSV === csv) {
    const plan = await read(cluster, InstallPlan, installPlanRef.name, namespace);
    if (plan) return observePlan(plan);
  }
  return observeResolution(cluster, wanted, subscription, isThorough);
}

function observePlan(plan: DeepReadonly<InstallPlan>): Observation {
  const { metadata, spec, status = {} } = plan;
  const waitsFor = `the install plan ${metadata.name} (${oneLine(status.phase ?? 'new')})`;
  if (!spec.approved) return { waitsFor, toApprove: plan };
  const failed = status.conditions?.find(
    (condition) => condition.type === 'Installed' && condition.status === 'False',
  );
  const message = failed?.message ?? status.message;
  if (status.phase !== 'Failed' && !failed?.message) return { waitsFor };
  const problem = `the install plan ${metadata.name} failed: ${message ?? 'OLM gives no reason'}`;
  const hint = /cannot|forbidden/.test(message ?? '')
    ? 'Give the service account of the OperatorGroup the rights that the message names.'
    : 'Correct the object that the message names in the bundle, or the one in the cluster, and run the command again.';
  return { waitsFor, problem: { problem, hint, isFinal: status.phase === 'Failed' } };
}

async function observeResolution(
  cluster: Cluster,
  wanted: Wanted,
  { status = {} }: DeepReadonly<Subscription>,
  isThorough: boolean,
): Promise<Observation> {
  const conditions = new Map((status.conditions ?? []).map((condition) => [condition.type, condition]));
  const unpacking = conditions.get('BundleUnpacking');
  const unpackFailed = conditions.get('BundleUnpackFailed');
  if (isTrue(unpackFailed) || isTrue(unpacking)) {
    const waitsFor = 'OLM to unpack the image of a bundle';
    const found = isThorough ? await explainUnpacking(cluster, wanted.namespace) : undefined;
    const message = unpackFailed?.message ?? unpacking?.message;
    const problem = message ? { problem: message, hint: unpackHint } : undefined;
    return { waitsFor, problem: found ?? problem };
  }
  const catalog = await observeCatalog(cluster, wanted);
  if (catalog) return catalog;
  const waitsFor = 'OLM to resolve the Subscription';
  const failed = conditions.get('ResolutionFailed');
  if (isTrue(failed)) {
    const problem = unresolved(failed?.message ?? failed?.reason ?? '');
    const isAnswer = failed?.reason === 'ConstraintsNotSatisfiable';
    return { waitsFor, problem: isAnswer ? { ...problem, giveUpAfter: resolutionTime } : problem };
  }
  if (!isThorough) return { waitsFor };
  const event = await resolutionEvent(cluster, wanted.namespace);
  if (event !== undefined) return { waitsFor, problem: unresolved(event) };
  const problem =
    status.currentCSV === undefined
      ? 'OLM has not looked at the Subscription'
      : `OLM stays with ${status.currentCSV}, because it sees no upgrade from there`;
  const hint =
    status.currentCSV === undefined
      ? 'Check with ots olm status that OLM runs.'
      : 'Name it in spec.replaces, spec.skips or the annotation olm.skipRange of the ClusterServiceVersion.';
  return { waitsFor, problem: { problem, hint } };
}

const unpackHint = 'Check that the nodes can pull the image of the bundle that the message is about.';

/**
 * Looks whether OLM is connected to a catalog.
 *
 * @returns undefined if it is
 */
export async function observeCatalog(
  cluster: Cluster,
  { catalog, namespace }: Pick<Wanted, 'catalog' | 'namespace'>,
): Promise<Observation | undefined> {
  const source = await read(cluster, CatalogSource, catalog, namespace);
  const { connectionState, message, reason } = source?.status ?? {};
  const state = connectionState?.lastObservedState;
  if (state === 'READY') return undefined;
  const waitsFor = `OLM to connect to the catalog${state === undefined ? '' : ` (${oneLine(state)})`}`;
  if (reason !== undefined && message !== undefined) {
    const problem = `OLM cannot use the catalog: ${message}`;
    return { waitsFor, problem: { problem, hint: 'Check with ots olm status that OLM runs.' } };
  }
  const address = source?.spec.address ?? 'the catalog';
  const hint = `Check that the network policies of the cluster let the pods of OLM connect to ${address}.`;
  const problem =
    state === undefined
      ? { problem: 'OLM has not connected to the catalog', hint: 'Check with ots olm status that OLM runs.' }
      : { problem: `OLM cannot connect to the catalog at ${address} (${state})`, hint };
  return { waitsFor, problem };
}

function isTrue(condition: OlmCondition | undefined): boolean {
  return condition?.status === 'True';
}

/** Why OLM finds no operators to install, in its words. */
function unresolved(message: string): Problem {
  const hint = /no registry client|failed to populate resolver cache|failed to list bundles/.test(message)
    ? 'Repair or delete the CatalogSource that the message names: OLM needs all of a namespace, and those of its own.'
    : /is not referenced by a subscription|originates from|already exists/.test(message)
      ? 'Delete the ClusterServiceVersion that the message names: no Subscription has it.'
      : 'Install what the message names as missing, or remove what conflicts with it.';
  return { problem: `OLM cannot resolve the Subscription: ${message}`, hint };
}

/** The newest event about a failed resolution. Events about a namespace are in `default`. */
async function resolutionEvent({ client, signal }: Cluster, name: string): Promise<string | undefined> {
  const fieldSelector = `involvedObject.kind=Namespace,involvedObject.name=${name},reason=ResolutionFailed`;
  try {
    const { items } = await client.list(Event, { namespace: 'default', fieldSelector, signal });
    const time = (event: (typeof items)[number]): string => event.lastTimestamp ?? event.eventTime ?? '';
    return items.toSorted((a, b) => time(b).localeCompare(time(a)))[0]?.message;
  } catch (error) {
    signal.throwIfAborted();
    if (isApiError(error)) return undefined;
    throw explainError(error);
  }
}

/** Why the first Deployment of an operator that has a problem is not available. */
async function explainDeployments(
  cluster: Cluster,
  { metadata: { namespace = '' }, spec, status }: DeepReadonly<ClusterServiceVersion>,
): Promise<Problem | undefined> {
  if (!['Installing', 'InstallReady', 'Failed', 'Succeeded'].includes(status?.phase ?? '')) return undefined;
  for (const { name } of spec.install?.spec?.deployments ?? []) {
    if (name === undefined) continue;
    const found = await explainDeployment(cluster, { name, namespace }, bundlePlaces);
    if (found && found.problem !== 'it does not exist')
      return { ...found, problem: `deployment.apps/${name}: ${found.problem}` };
  }
  return undefined;
}

/** The first Subscription in a namespace that is not this one and would change with a plan. */
export async function othersIn(
  cluster: Cluster,
  { namespace, subscription, csv }: Wanted,
  plan: DeepReadonly<InstallPlan>,
): Promise<readonly string[]> {
  const names = new Set(plan.spec.clusterServiceVersionNames ?? []);
  names.delete(csv);
  const subscriptions = (await listOf(cluster, Subscription, namespace)) ?? [];
  return subscriptions
    .filter(({ metadata }) => metadata.name !== subscription)
    .flatMap(({ status }) => {
      const { currentCSV = '', installedCSV } = status ?? {};
      return installedCSV !== undefined && names.has(currentCSV) ? [currentCSV] : [];
    });
}
