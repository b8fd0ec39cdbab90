import type { Snapshot } from 'ots-apiserver';
import type { ServiceSpec } from 'ots-kubernetes/core/v1';
import type { Client, KubernetesObject } from 'ots-runtime';

/** Where to look, and what of the objects belongs to the operator. */
export interface Observed {
  /** The path of all objects of each resource that the operator wrote. */
  readonly collections: ReadonlySet<string>;
  /** Those of which the operator wrote the status. That of others is the work of their own controllers. */
  readonly withStatus: ReadonlySet<string>;
  /** What of an object must be the same; undefined leaves the object out. */
  readonly comparable: (object: KubernetesObject) => unknown;
}

/** Objects without what differs between two runs, by their resource, namespace and name. */
export type ClusterState = Readonly<Record<string, unknown>>;

interface List {
  items?: readonly StoredObject[];
}
interface StoredObject extends KubernetesObject {
  status?: unknown;
}
interface StoredService extends KubernetesObject {
  spec?: ServiceSpec;
}

const anyUid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;
/** Set by the server, or counted by a controller of Kubernetes. */
const droppedMetadata = ['uid', 'resourceVersion', 'generation', 'creationTimestamp', 'managedFields'];
const services = '/api/v1/services';
const pods = '/api/v1/pods';
const droppedAnnotation = 'deployment.kubernetes.io/revision';

/** Reads what an operator has made of a cluster. */
export async function clusterState(client: Client, observed: Observed): Promise<ClusterState> {
  const paths = [...observed.collections, pods];
  const lists = await Promise.all(paths.map((path) => client.raw<List>({ path })));
  return stateOf(new Map(paths.map((path, index) => [path, lists[index]!.items ?? []])), observed);
}

/** What an operator has made of the cluster of a snapshot, without asking the server. Objects are in their storage version. */
export function clusterStateIn(snapshot: Snapshot, observed: Observed): ClusterState {
  const paths = [...observed.collections, pods];
  return stateOf(new Map(paths.map((path) => [path, storedObjects(snapshot, path)])), observed);
}

/**
 * The objects of a resource in a snapshot, in their storage version.
 *
 * @param path that of all objects of the resource, such as `/apis/apps/v1/deployments`
 */
export function storedObjects({ tables }: Snapshot, path: string): readonly StoredObject[] {
  const [, , group, , plural] = path.split('/');
  const builtIn = plural === undefined ? `/${path.split('/').at(-1)}` : `${group}/${plural}`;
  // Custom resources are stored under the name of their definition.
  const records = tables.get(builtIn) ?? tables.get(`${plural}.${group}`) ?? [];
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server stores objects
  return records.map(({ object }) => object as unknown as StoredObject);
}

function stateOf(lists: ReadonlyMap<string, readonly StoredObject[]>, observed: Observed): ClusterState {
  const known: Known = {
    names: generatedNames([...lists.values()]),
    generations: generationsOf([...lists.values()]),
  };
  const state: Record<string, unknown> = {};
  for (const path of [...observed.collections].toSorted()) {
    const objects = lists
      .get(path)!
      .map((object) => withoutChance(object, known, observed.withStatus.has(path)));
    // The names of generated objects do not tell them apart.
    for (const object of objects.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))) {
      const chosen = path === services ? withoutServerChoices(object) : object;
      const compared = chosen && observed.comparable(chosen);
      if (compared !== undefined) state[unused(state, nameOf(path, object))] = compared;
    }
  }
  return state;
}

/** Such as `deployments.apps default/web`. */
function nameOf(collection: string, { metadata: { namespace, name } }: KubernetesObject): string {
  return `${resourceOf(collection)} ${namespace ? `${namespace}/` : ''}${name}`;
}

function unused(state: ClusterState, name: string): string {
  let number = 1;
  while (`${name}${number > 1 ? ` (${number})` : ''}` in state) number += 1;
  return `${name}${number > 1 ? ` (${number})` : ''}`;
}

/** Such as `deployments.apps`. */
function resourceOf(collection: string): string {
  const [, , group, , plural] = collection.split('/');
  return plural === undefined ? collection.split('/').at(-1)! : `${plural}.${group}`;
}

/** What stands for each name that the server generated. */
function generatedNames(lists: readonly (readonly StoredObject[])[]): Map<string, string> {
  const named = lists.flatMap((objects) =>
    objects
      .filter(({ metadata }) => metadata.generateName)
      .map(({ metadata }) => [metadata.name!, `${metadata.generateName}*`] as const),
  );
  return new Map(named);
}

/** What counts the changes of an object depends on the way to it. */
function generationsOf(lists: readonly (readonly StoredObject[])[]): Map<string, number> {
  const entries = lists
    .flat()
    .map(({ metadata: { uid = '', generation = 0 } }) => [uid, generation] as const);
  return new Map(entries);
}

/** What the objects of a cluster have in common. */
interface Known {
  /** What stands for each name that the server generated. */
  readonly names: ReadonlyMap<string, string>;
  /** By UID. */
  readonly generations: ReadonlyMap<string, number>;
}

function withoutChance(object: StoredObject, known: Known, hasStatus: boolean): KubernetesObject {
  const { status, ...rest } = object;
  const { generation, ownerReferences = [] } = object.metadata;
  const ownersGenerations = ownerReferences.map(({ uid }) => String(known.generations.get(uid)));
  const replace = (key: string, value: unknown): unknown => {
    if (key === 'observedGeneration' && typeof value === 'number')
      return value === generation ? 'current' : `${value} of ${generation}`;
    if (typeof value !== 'string') return value;
    // An annotation with the generation that the operator has applied.
    if (/generation$/i.test(key) && ownersGenerations.includes(value)) return 'current';
    if (time.test(value)) return '<time>';
    return known.names.get(value) ?? value.replaceAll(anyUid, '<uid>');
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a copy
  const plain = JSON.parse(
    JSON.stringify(hasStatus ? { ...rest, status } : rest, replace),
  ) as KubernetesObject;
  const metadata = plain.metadata as Record<string, unknown>;
  for (const field of droppedMetadata) delete metadata[field];
  delete plain.metadata.annotations?.[droppedAnnotation];
  if (Object.keys(plain.metadata.annotations ?? {}).length === 0) delete metadata['annotations'];
  return plain;
}

/** Services other than that of the server, without the addresses that it chose. They cannot change, so there is nothing to repair. */
function withoutServerChoices(service: StoredService): StoredService | undefined {
  const { namespace, name } = service.metadata;
  if (namespace === 'default' && name === 'kubernetes') return undefined;
  if (service.spec?.clusterIP === 'None') return service;
  const { clusterIP: _, clusterIPs: __, ...spec } = service.spec ?? {};
  return { ...service, spec };
}
