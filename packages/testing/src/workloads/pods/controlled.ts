import { type Cache, type DeepReadonly, controllerOf } from 'ots-runtime';
import type { Kind, KubernetesObject } from 'ots-kubernetes';

const index = 'controller';
const orphan = '';

/** Lets {@link controlledBy} find objects of a kind without reading all of them. To be called before the manager starts. */
export function indexByController(cache: Cache, kind: Kind): void {
  cache.addIndex(kind, index, controllerUid);
}

/** The objects of a kind that an object of the same namespace controls, in the order of their names. */
export function controlledBy<T extends KubernetesObject>(
  cache: Cache,
  kind: Kind<T>,
  owner: DeepReadonly<KubernetesObject>,
): DeepReadonly<T>[] {
  return indexed(cache, kind, owner, owner.metadata.uid ?? '');
}

/** The objects of a kind with the same controller as an object, which are in the same namespace, in the order of their names. */
export function controlledWith<T extends KubernetesObject>(
  cache: Cache,
  kind: Kind<T>,
  object: DeepReadonly<KubernetesObject>,
): DeepReadonly<T>[] {
  const uid = controllerOf(object)?.uid;
  return uid === undefined ? [] : indexed(cache, kind, object, uid);
}

/** The objects of a kind in the namespace of an object that no object controls, in the order of their names. */
export function orphansBeside<T extends KubernetesObject>(
  cache: Cache,
  kind: Kind<T>,
  owner: DeepReadonly<KubernetesObject>,
): DeepReadonly<T>[] {
  return indexed(cache, kind, owner, orphan);
}

function indexed<T extends KubernetesObject>(
  cache: Cache,
  kind: Kind<T>,
  { metadata: { namespace } }: DeepReadonly<KubernetesObject>,
  uid: string,
): DeepReadonly<T>[] {
  const objects = cache.list(kind, { namespace, index: { [index]: uid } });
  return objects.toSorted((a, b) => (a.metadata.name! < b.metadata.name! ? -1 : 1));
}

function controllerUid(object: DeepReadonly<KubernetesObject>): string[] {
  return [controllerOf(object)?.uid ?? orphan];
}
