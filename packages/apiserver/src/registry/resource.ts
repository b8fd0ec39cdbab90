import type { CustomResourceDefinitionVersion } from 'ots-kubernetes/apiextensions/v1';
import type { Table } from '../storage/table.ts';
import type { ApiObject } from '../json/api-object.ts';
import type { Machinery } from './machinery.ts';
import type { Strategy } from './strategy.ts';
import type { Target, WriteOptions } from './target.ts';

/** An endpoint below a resource. */
interface Subresource {
  readonly name: string;
  readonly verbs: readonly string[];
  /** The kind that clients read and write there, if it is not that of the resource. */
  readonly group?: string;
  readonly version?: string;
  readonly kind?: string;
}

/**
 * Computes the answer to a body and performs what it asks for.
 *
 * @param body the decoded body, with the namespace of the request
 * @throws {StatusError} when it is refused
 */
export type Answer = (machinery: Machinery, target: Target, body: ApiObject, options: WriteOptions) => object;

/** A resource in one version, as the server serves it. */
export interface Resource {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly singular: string;
  readonly kind: string;
  readonly listKind: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly scope: 'Namespaced' | 'Cluster';
  readonly verbs: readonly string[];
  /** The served subresources, with their verbs. */
  readonly subresources: readonly Subresource[];
  /** Whether a CustomResourceDefinition defines it. */
  readonly custom: boolean;
  /** The version of the definition that a custom resource is served in. */
  readonly definition?: CustomResourceDefinitionVersion;
  /** The table that all versions of the resource share. */
  readonly table: Table;
  readonly strategy: Strategy;
  /** A warning for every answer, because the version is deprecated. */
  readonly warning?: string;
  /** Why clients cannot create objects, where that is so. */
  readonly createForbidden?: string;
  /** Versions with the same fields, which a body may state instead. */
  readonly equivalentVersions?: readonly string[];
  /** Answers a create where objects are not stored: the table stays empty. */
  readonly answer?: Answer;
}

/** `group/version`, or the version alone for the core group. */
export function apiVersionOf({ group, version }: { group: string; version: string }): string {
  return group === '' ? version : `${group}/${version}`;
}

/** The resource as messages name it. */
export function resourceName({ group, plural }: Resource): { group: string; name: string } {
  return { group, name: plural };
}

/** The kind as messages name it. Both groups of events use the core group, in which events are stored. */
export function kindName({ group, kind }: Resource): { group: string; name: string } {
  return { group: group === 'events.k8s.io' ? '' : group, name: kind };
}

/** The key of an object in its table. */
export function keyOf(resource: Resource, namespace: string, name: string): string {
  return resource.scope === 'Namespaced' ? `${namespace}/${name}` : name;
}
