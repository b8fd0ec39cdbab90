import { type Kind, type KubernetesObject, defineKind } from 'ots-kubernetes';

/** An object of a kind without a type in the program: everything except its metadata is unknown. */
export interface UnstructuredObject extends KubernetesObject {
  /** A field that no type speaks of. */
  [field: string]: unknown;
}

/**
 * A kind without a type, for programs that meet kinds at run time. `RestMapper.kindFor` makes it from what the server
 * says; this is for those who know the plural and the scope.
 * @throws {InvalidKindError} when a name could not be that of a kind on any server.
 */
export function unstructured(definition: {
  apiVersion: string;
  kind: string;
  plural: string;
  scope: 'Namespaced' | 'Cluster';
}): Kind<UnstructuredObject> {
  return defineKind<UnstructuredObject>(definition);
}
