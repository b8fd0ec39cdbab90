import { kindsOf } from './object-schema-index.ts';
import { objectSchemaAt } from './object-schema-reader.ts';
import type { ObjectSchema } from './object-schema.ts';

/**
 * What a kube-apiserver knows of a built-in kind: all that its OpenAPI v3 documents have definitions of, also lists, options,
 * Status and the kinds of subresources (`autoscaling/v1` Scale, `policy/v1` Eviction, `authentication.k8s.io/v1` TokenRequest).
 * @param group empty for the core group, which also has the kinds of the protocol itself, such as Status and APIGroupList
 * @param version such as `v1`
 * @param kind such as `Deployment`
 * @returns the same schema at every call, which others share; undefined when there is no such kind
 */
export function objectSchema(group: string, version: string, kind: string): ObjectSchema | undefined {
  const line = kindsOf(group, version)?.get(kind);
  return line === undefined ? undefined : objectSchemaAt(line);
}

/**
 * @param group empty for the core group
 * @param version such as `v1`
 * @returns the kinds for which objectSchema has an answer; empty when there is no such group and version
 */
export function objectSchemaKinds(group: string, version: string): readonly string[] {
  return [...(kindsOf(group, version)?.keys() ?? [])];
}
