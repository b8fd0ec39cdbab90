import type { Kind, KubernetesObject } from 'ots-kubernetes';
import { CustomResourceDefinition } from 'ots-kubernetes/apiextensions/v1';
import {
  type Client,
  type DeepReadonly,
  NoKindMatchError,
  type UnstructuredObject,
  controllerReference,
  isNotFound,
} from 'ots-runtime';
import { refusedChanges } from './definition-changes.ts';
import type { ClusterExtension } from './kinds.ts';
import type { V1Context } from './v1-context.ts';

/** The objects of an extension cannot be applied. */
export class ApplyError extends Error {
  override readonly name = 'ApplyError';
}

/** What marks an object of a release of Helm, which OLM v1 uses. */
const managedBy = 'app.kubernetes.io/managed-by';
const releaseName = 'meta.helm.sh/release-name';
const releaseNamespace = 'meta.helm.sh/release-namespace';

interface Planned {
  readonly object: KubernetesObject;
  readonly current: DeepReadonly<UnstructuredObject> | undefined;
}

/**
 * Creates and updates the objects of an extension, and deletes those that it no longer has. Nothing is written if one of them exists and belongs to
 * something else, or if a definition changes in a way that objects may not survive.
 *
 * @throws {ApplyError} then
 * @throws {ApiError} when the server refuses
 */
export async function applyRelease(
  extension: DeepReadonly<ClusterExtension>,
  objects: readonly KubernetesObject[],
  context: V1Context,
): Promise<void> {
  const { live } = context;
  const planned = await Promise.all(
    objects.map(async (object): Promise<Planned> => {
      const kind = await kindOf(object, live);
      const { name = '', namespace } = object.metadata;
      return { object, current: await live.get(kind, { name, namespace }) };
    }),
  );
  for (const each of planned) refuseForeign(each, extension);
  if (extension.spec.install?.preflight?.crdUpgradeSafety?.enforcement !== 'None') refuseUnsafe(planned);
  for (const each of planned) await write(each, extension, context);
}

async function kindOf(
  { apiVersion, kind, metadata: { name = '', namespace = '' } }: KubernetesObject,
  { mapper }: Client,
): Promise<Kind<UnstructuredObject>> {
  return mapper.kindFor(apiVersion, kind).catch((error: unknown) => {
    if (!(error instanceof NoKindMatchError)) throw error;
    throw new ApplyError(
      `unable to build kubernetes objects from release manifest: resource mapping not found for name: "${name}" namespace: "${namespace}" from "": no matches for kind "${kind}" in version "${apiVersion}"\nensure CRDs are installed first`,
    );
  });
}

/** Deletes objects that an extension no longer has. */
export async function deleteStale(
  before: readonly KubernetesObject[],
  after: readonly KubernetesObject[],
  { live, client }: V1Context,
): Promise<void> {
  const kept = new Set(after.map(keyOf));
  for (const object of before.filter((each) => !kept.has(keyOf(each)))) {
    const kind = await live.mapper.kindFor(object.apiVersion, object.kind);
    const { name = '', namespace } = object.metadata;
    await client.delete(kind, { name, namespace }).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
    });
  }
}

function keyOf({ apiVersion, kind, metadata }: KubernetesObject): string {
  return [apiVersion.split('/').at(-2), kind, metadata.namespace, metadata.name].join('/');
}

function refuseForeign(
  { object, current }: Planned,
  { metadata, spec }: DeepReadonly<ClusterExtension>,
): void {
  if (!current) return;
  const { labels, annotations } = current.metadata;
  const problems = [
    labels?.[managedBy] === 'Helm' ? '' : missing('label', managedBy, 'Helm'),
    annotations?.[releaseName] === metadata.name ? '' : missing('annotation', releaseName, metadata.name!),
    annotations?.[releaseNamespace] === spec.namespace
      ? ''
      : missing('annotation', releaseNamespace, spec.namespace),
  ].filter(Boolean);
  if (problems.length === 0) return;
  const { name, namespace = '' } = object.metadata;
  throw new ApplyError(
    `Unable to continue with install: ${object.kind} "${name}" in namespace "${namespace}" exists and cannot be imported into the current release: invalid ownership metadata; ${problems.join('; ')}`,
  );
}

function refuseUnsafe(planned: readonly Planned[]): void {
  for (const { object, current } of planned) {
    if (object.kind !== CustomResourceDefinition.kind || !current) continue;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- both are definitions
    const [older, newer] = [current, object] as unknown as CustomResourceDefinition[];
    const reasons = refusedChanges(older!, newer!);
    if (reasons.length === 0) continue;
    throw new ApplyError(`validating upgrade for CRD "${object.metadata.name}": ${reasons.join('\n')}`);
  }
}

function missing(what: string, key: string, value: string): string {
  return `${what} validation error: missing key "${key}": must be set to "${value}"`;
}

async function write(
  { object }: Planned,
  extension: DeepReadonly<ClusterExtension>,
  { client, live }: V1Context,
): Promise<void> {
  const { name = '' } = extension.metadata;
  const kind = await live.mapper.kindFor(object.apiVersion, object.kind);
  const owned = {
    ...object,
    metadata: {
      ...object.metadata,
      name: object.metadata.name!,
      labels: {
        ...object.metadata.labels,
        [managedBy]: 'Helm',
        'olm.operatorframework.io/owner-kind': 'ClusterExtension',
        'olm.operatorframework.io/owner-name': name,
      },
      annotations: {
        ...object.metadata.annotations,
        [releaseName]: name,
        [releaseNamespace]: extension.spec.namespace,
      },
      ownerReferences: [controllerReference(extension)],
    },
  };
  await client.apply(kind, owned, { force: true });
}
