import type { CustomResourceDefinitionVersion } from 'ots-kubernetes/apiextensions/v1';
import type { Table } from '../storage/table.ts';
import type { ApiObject } from '../json/api-object.ts';
import type { Machinery } from './machinery.ts';
import type { Strategy } from './strategy.ts';
import type { Target, WriteOptions } from './target.ts';

/** Something that is served below a resource. */
interface Subresource {
  readonly name: string;
  readonly verbs: readonly string[];
  /** The kind that is read and written there, where it is not that of the resource. */
  readonly group?: string;
  readonly version?: string;
  readonly kind?: string;
}

/**
 * Computes the answer to a body that was sent, and does what it asks for.
 *
 * @param body has the namespace of the request
 * @throws {StatusError} when it is refused
 */
export type Answer = (machinery: Machinery, target: Target, body: ApiObject, options: WriteOptions) => object;

/** A resource in one version, as it is served. */
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
  /** The subresources that are served, with their verbs. */
  readonly subresources: readonly Subresource[];
  /** Defined by a CustomResourceDefinition. */
  readonly custom: boolean;
  /** The version of the definition that a custom resource shows. */
  readonly definition?: CustomResourceDefinitionVersion;
  /** Shared by all versions of the resource. */
  readonly table: Table;
  readonly strategy: Strategy;
  /** Sent with every answer, because the version is deprecated. */
  readonly warning?: string;
  /** Why nothing new can be created, where that is so. */
  readonly createForbidden?: string;
  /** Versions in which a body may say the same: they differ in nothing. */
  readonly twinVersions?: readonly string[];
  /** What a create is answered with, where nothing is stored: the table stays empty. */
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

/** The kind as messages name it: both groups of events have the one of the core group, in which they are stored. */
export function kindName({ group, kind }: Resource): { group: string; name: string } {
  return { group: group === 'events.k8s.io' ? '' : group, name: kind };
}

/** Where an object stands in its table. */
export function keyOf(resource: Resource, namespace: string, name: string): string {
  return resource.scope === 'Namespaced' ? `${namespace}/${name}` : name;
}
