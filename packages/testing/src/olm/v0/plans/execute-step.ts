import type { Kind, KubernetesObject, OwnerReference } from 'ots-kubernetes';
import { CustomResourceDefinition } from 'ots-kubernetes/apiextensions/v1';
import {
  type Client,
  type DeepReadonly,
  NoKindMatchError,
  type UnstructuredObject,
  isAlreadyExists,
  isConditionTrue,
} from 'ots-runtime';
import { ClusterServiceVersion, type InstallPlan, type InstallStep } from '../kinds.ts';
import { generatedBy, managed, olmUser } from '../olm-user.ts';
import type { V0Context } from '../v0-context.ts';
import { ownerLabels, bundleSecret } from './steps.ts';
import { violation } from './violation.ts';

/** A step cannot be executed. */
export class StepError extends Error {}

/** The kinds of objects that a bundle may have beside those that OLM knows itself. */
const supported = [
  'PodDisruptionBudget',
  'PriorityClass',
  'VerticalPodAutoscaler',
  'ConsoleYAMLSample',
  'ConsoleQuickStart',
  'ConsoleCLIDownload',
  'ConsoleLink',
  'ConsolePlugin',
  'PrometheusRule',
  'ServiceMonitor',
  'NetworkPolicy',
  'UserDefinedNetwork',
];
const known = [
  'ClusterServiceVersion',
  'Subscription',
  bundleSecret,
  'ClusterRole',
  'ClusterRoleBinding',
  'Role',
  'RoleBinding',
  'ServiceAccount',
  'Service',
  'ConfigMap',
];
/** These keep what the bundle says about their owners. */
const withoutOwner = [
  'ClusterServiceVersion',
  'Subscription',
  'ClusterRole',
  'ClusterRoleBinding',
  'ServiceAccount',
  'Role',
  'RoleBinding',
];

/**
 * Creates or updates the object of a step.
 *
 * @returns the status of the step
 * @throws {StepError} when OLM does not create such objects, or the schema of a definition would refuse objects that exist
 * @throws {ApiError} when the server refuses
 */
export async function executeStep(
  { resource, status, resolving }: InstallStep,
  plan: DeepReadonly<InstallPlan>,
  context: V0Context,
): Promise<string> {
  if (status === 'Created' || status === 'Present') return status;
  const object = JSON.parse(resource.manifest ?? '{}') as KubernetesObject;
  object.metadata.labels = { ...object.metadata.labels, ...managed };
  if (resource.kind === 'CustomResourceDefinition')
    return executeDefinition(object as CustomResourceDefinition, status, context);
  if (!known.includes(resource.kind) && !supported.includes(resource.kind))
    throw new StepError('the InstallPlan contains invalid data');
  const { namespace = '' } = plan.metadata;
  const kind = await kindOf(object, context.live);
  if (kind.scope === 'Namespaced') object.metadata.namespace = namespace;
  if (resource.kind === 'Subscription')
    object.metadata.annotations = { ...object.metadata.annotations, [generatedBy]: plan.metadata.name! };
  await setOwner(object, { resolving, namespace, isNamespaced: kind.scope === 'Namespaced' }, context);
  return createOrUpdate(object, context.client, context.live);
}

async function kindOf(
  { apiVersion, kind, metadata }: KubernetesObject,
  { mapper }: Client,
): Promise<Kind<UnstructuredObject>> {
  return mapper.kindFor(apiVersion, kind).catch((error: unknown) => {
    if (!(error instanceof NoKindMatchError)) throw error;
    throw new StepError(
      `api-server resource not found installing ${kind} ${metadata.name}: GroupVersionKind ${apiVersion}, Kind=${kind} not found on the cluster`,
    );
  });
}

async function createOrUpdate(object: KubernetesObject, client: Client, live: Client): Promise<string> {
  const kind = await live.mapper.kindFor(object.apiVersion, object.kind);
  try {
    await client.create(kind, { ...object });
    return 'Created';
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
  if (object.kind === 'ClusterServiceVersion' || object.kind === 'Subscription') return 'Present';
  const { name = '', namespace } = object.metadata;
  const current = await live.get(kind, { name, namespace });
  if (!current) return 'Unknown';
  const { resourceVersion } = current.metadata;
  const kept = { ...(current['secrets'] !== undefined && { secrets: current['secrets'] }) };
  const spec = object.kind === 'Service' ? serviceSpec(current, object) : {};
  await client.update(kind, {
    ...kept,
    ...object,
    ...spec,
    metadata: { ...object.metadata, ...(resourceVersion !== undefined && { resourceVersion }) },
  });
  return 'Present';
}

/** The addresses of a Service cannot change. */
function serviceSpec(current: DeepReadonly<Record<string, unknown>>, object: KubernetesObject): object {
  const { clusterIP, clusterIPs } = current['spec'] as { clusterIP?: string; clusterIPs?: string[] };
  return { spec: { ...(object as unknown as { spec: object }).spec, clusterIP, clusterIPs } };
}

/** What a bundle contains belongs to its ClusterServiceVersion, which must have been created by a step before. */
async function setOwner(
  object: KubernetesObject,
  { resolving, namespace, isNamespaced }: { resolving: string; namespace: string; isNamespaced: boolean },
  { live }: V0Context,
): Promise<void> {
  const { metadata, kind } = object;
  const references = metadata.ownerReferences ?? [];
  const isNew = isNamespaced && !withoutOwner.includes(kind);
  if (!isNamespaced && !known.includes(kind))
    metadata.labels = { ...metadata.labels, ...ownerLabels({ metadata: { name: resolving, namespace } }) };
  if (!isNew && references.length === 0) return;
  const owner = await live.get(ClusterServiceVersion, { name: resolving, namespace });
  const uid = owner?.metadata.uid;
  if (uid === undefined)
    throw new StepError(`clusterserviceversions.operators.coreos.com "${resolving}" not found`);
  const reference: OwnerReference = {
    apiVersion: ClusterServiceVersion.apiVersion,
    kind: ClusterServiceVersion.kind,
    name: resolving,
    uid,
    controller: false,
    blockOwnerDeletion: false,
  };
  metadata.ownerReferences = [
    ...references.filter((each) => each.kind !== ClusterServiceVersion.kind),
    reference,
  ];
}

/** OLM creates and updates definitions with its own rights. */
async function executeDefinition(
  definition: CustomResourceDefinition,
  status: string,
  { components, live }: V0Context,
): Promise<string> {
  const client = components.clientAs(olmUser);
  const name = definition.metadata.name!;
  const current = await live.get(CustomResourceDefinition, { name });
  if (!current) {
    await client.create(CustomResourceDefinition, definition);
    return 'WaitingForApi';
  }
  if (status === 'WaitingForApi')
    return isConditionTrue(current.status?.conditions, 'Established') ? 'Created' : 'WaitingForApi';
  const problem = await violation(current, definition, live);
  const converts = definition.spec.conversion?.strategy === 'Webhook';
  if (problem !== undefined && !converts)
    throw new StepError(`error validating existing CRs against new CRD's schema for "${name}": ${problem}`);
  const lost = lostVersion(current, definition);
  if (lost !== undefined)
    throw new StepError(
      `risk of data loss updating "${name}": new CRD removes version ${lost} that is listed as a stored version on the existing CRD`,
    );
  const { resourceVersion } = current.metadata;
  await client.update(CustomResourceDefinition, {
    ...definition,
    metadata: { ...definition.metadata, ...(resourceVersion !== undefined && { resourceVersion }) },
  });
  return 'Present';
}

function lostVersion(
  { status }: DeepReadonly<CustomResourceDefinition>,
  { spec }: CustomResourceDefinition,
): string | undefined {
  return status?.storedVersions?.find((stored) => !spec.versions.some(({ name }) => name === stored));
}
