import type { CustomResourceDefinitionVersion } from 'ots-kubernetes/apiextensions/v1';
import type { Table } from '../storage/table.ts';
import type { Strategy } from './strategy.ts';

/** Something that is served below a resource. */
interface Subresource {
  readonly name: string;
  readonly verbs: readonly string[];
  /** The kind that is read and written there, where it is not that of the resource. */
  readonly group?: string;
  readonly version?: string;
  readonly kind?: string;
}

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
}

/** `group/version`, or the version alone for the core group. */
export function apiVersionOf({ group, version }: { group: string; version: string }): string {
  return group === '' ? version : `${group}/${version}`;
}

/** The resource as messages name it. */
export function resourceName({ group, plural }: Resource): { group: string; name: string } {
  return { group, name: plural };
}

/** The kind as messages name it. */
export function kindName({ group, kind }: Resource): { group: string; name: string } {
  return { group, name: kind };
}

/** Where an object stands in its table. */
export function keyOf(resource: Resource, namespace: string, name: string): string {
  return resource.scope === 'Namespaced' ? `${namespace}/${name}` : name;
}
