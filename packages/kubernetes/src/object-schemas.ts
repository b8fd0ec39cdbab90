import { kindsOf } from './object-schema-index.ts';
import { objectSchemaAt } from './object-schema-reader.ts';
import type { ObjectSchema } from './object-schema.ts';

/**
 * What kube-apiserver knows about a built-in kind. Covers every definition of its OpenAPI v3 documents, including
 * lists, options, Status and the kinds of subresources (`autoscaling/v1` Scale, `policy/v1` Eviction,
 * `authentication.k8s.io/v1` TokenRequest).
 *
 * @param group empty for the core group, which also has the kinds of the protocol itself, such as Status and
 *   APIGroupList
 * @param version such as `v1`
 * @param kind such as `Deployment`
 * @returns the same shared schema at every call; undefined for an unknown kind
 */
export function objectSchema(group: string, version: string, kind: string): ObjectSchema | undefined {
  const line = kindsOf(group, version)?.get(kind);
  return line === undefined ? undefined : objectSchemaAt(line);
}

/**
 * @param group empty for the core group
 * @param version such as `v1`
 * @returns the kinds that objectSchema knows; empty for an unknown group and version
 */
export function objectSchemaKinds(group: string, version: string): readonly string[] {
  return [...(kindsOf(group, version)?.keys() ?? [])];
}
