import { type Kind, type KubernetesObject, defineKind } from 'ots-kubernetes';

/** An object of a kind without a type in the program: everything except its metadata is unknown. */
export interface UnstructuredObject extends KubernetesObject {
  /** A field without a type. */
  [field: string]: unknown;
}

/**
 * Defines a kind without a type, for programs that discover kinds at run time. `RestMapper.kindFor` creates it from the
 * server's discovery; use this function if you know the plural and the scope.
 * @throws {InvalidKindError} when a name is not valid on any server.
 */
export function unstructured(definition: {
  apiVersion: string;
  kind: string;
  plural: string;
  scope: 'Namespaced' | 'Cluster';
}): Kind<UnstructuredObject> {
  return defineKind<UnstructuredObject>(definition);
}
