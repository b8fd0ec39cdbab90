import { CustomResourceDefinition } from 'ots-kubernetes/apiextensions/v1';
import { NoKindMatchError, type UnstructuredObject } from 'ots-runtime';
import { type Cluster, Kinds, isDefinition } from '../../../deploy/cluster.ts';
import { explainError } from '../../../deploy/explain-error.ts';
import { type ObjectReference, referenceTo } from '../../../deploy/object-name.ts';
import { whatLacks } from '../../../deploy/until-available.ts';
import { CatalogSource, ClusterServiceVersion } from '../kinds.ts';
import { read } from '../requests.ts';
import { applySetOf } from './install-olm.ts';
import { type Release, namespaceIn } from './release.ts';

/** An object of OLM. */
interface ObjectState extends ObjectReference {
  /** Such as `available` or `missing`. */
  readonly state: string;
  readonly isReady: boolean;
}

/** The states of OLM's objects. */
export interface OlmStatus {
  /** Undefined if OLM does not say it. */
  readonly version: string | undefined;
  /** Whether ots has installed it. */
  readonly isOurs: boolean;
  readonly objects: readonly ObjectState[];
}

/**
 * Looks at the objects of OLM: those that it always has, those that ots has recorded, and those of its manifests, if they are known.
 *
 * @returns undefined if OLM is not installed
 * @throws OtsError if the server refuses or does not respond
 */
export async function olmStatus(
  cluster: Cluster,
  manifests: readonly UnstructuredObject[],
  release: Release,
): Promise<OlmStatus | undefined> {
  const namespace = namespaceIn(manifests, release);
  const members = await applySetOf(namespace).othersThan(cluster, []);
  const expected = new Map<string, ObjectReference>();
  for (const reference of [...release.essentials, ...[...members, ...manifests].map(referenceTo)])
    expected.set(`${reference.kind}/${reference.namespace ?? ''}/${reference.name}`, reference);
  const kinds = new Kinds(cluster, []);
  const objects: ObjectState[] = [];
  for (const reference of expected.values()) {
    const state = await stateOf(cluster, kinds, reference);
    objects.push({ ...reference, ...state });
  }
  if (objects.every(({ kind, state }) => kind !== 'CustomResourceDefinition' || state === 'missing'))
    return undefined;
  const packageServer = await read(cluster, ClusterServiceVersion, 'packageserver', namespace);
  return { version: packageServer?.spec.version, isOurs: members.length > 0, objects };
}

const missing = { state: 'missing', isReady: false };

async function stateOf(
  cluster: Cluster,
  kinds: Kinds,
  reference: ObjectReference,
): Promise<Pick<ObjectState, 'state' | 'isReady'>> {
  const { apiVersion, kind: name, namespace } = reference;
  const object = { apiVersion, kind: name, metadata: { name: reference.name } };
  if (isDefinition(object)) return definitionState(cluster, reference.name);
  if (name === 'Deployment') {
    const lacks = await whatLacks(cluster, reference);
    if (lacks === 'it does not exist') return missing;
    return { state: lacks ?? 'available', isReady: lacks === undefined };
  }
  const kind = await kinds.of(object).catch((error: unknown) => {
    cluster.signal.throwIfAborted();
    if (error instanceof NoKindMatchError) return undefined;
    throw explainError(error, reference);
  });
  const found = kind && (await read(cluster, kind, reference.name, namespace));
  if (!found) return missing;
  if (name === ClusterServiceVersion.kind) {
    const { phase = 'new' } = (found as unknown as ClusterServiceVersion).status ?? {};
    return { state: phase, isReady: phase === 'Succeeded' };
  }
  if (name === CatalogSource.kind) {
    const { connectionState } = (found as unknown as CatalogSource).status ?? {};
    // A catalog that cannot be pulled, such as offline, does not keep OLM from its work.
    return { state: connectionState?.lastObservedState ?? 'not connected', isReady: true };
  }
  return { state: 'present', isReady: true };
}

async function definitionState(
  cluster: Cluster,
  name: string,
): Promise<Pick<ObjectState, 'state' | 'isReady'>> {
  const found = await read(cluster, CustomResourceDefinition, name);
  if (!found) return missing;
  const isReady =
    found.status?.conditions?.some(({ type, status }) => type === 'Established' && status === 'True') ??
    false;
  return { state: isReady ? 'established' : 'not established', isReady };
}
