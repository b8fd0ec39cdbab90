import type { UnstructuredObject } from 'ots-runtime';

/** Which object something is about. */
export interface ObjectReference {
  readonly apiVersion: string;
  readonly kind: string;
  /** Undefined for objects of the cluster. */
  readonly namespace?: string;
  readonly name: string;
}

/** The reference to an object. */
export function referenceTo({ apiVersion, kind, metadata }: UnstructuredObject): ObjectReference {
  const { name = '', namespace } = metadata;
  return { apiVersion, kind, ...(namespace !== undefined && { namespace }), name };
}

/** An object as kubectl names it in its progress: `deployment.apps/web`. */
export function objectName({ apiVersion, kind, name }: ObjectReference): string {
  const group = groupOf(apiVersion);
  return `${kind.toLowerCase()}${group === '' ? '' : `.${group}`}/${name}`;
}

/** The group of an `apiVersion`; empty for the core group. */
export function groupOf(apiVersion: string): string {
  return apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
}
