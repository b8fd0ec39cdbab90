import type { RecordedRequest } from 'ots-apiserver';
import { rightsUsedBy } from './rights-used.ts';

/** What a user asked for, for `ots manifests --rbac-from`: equal requests count once. */
export interface RbacRecord {
  /** Of this format. */
  readonly version: 1;
  /** Such as `system:serviceaccount:system:controller-manager`. */
  readonly user: string;
  readonly requests: readonly RbacRequest[];
}

/** A request about a resource, or a path outside of resources. */
export type RbacRequest = {
  readonly verb: string;
  /** How often it was sent. */
  readonly count: number;
} & (
  | {
      /** Empty for the core group. */
      readonly group: string;
      /** With the subresource, such as `deployments/status`. */
      readonly resource: string;
      /** Empty outside of namespaces, and for all of them. */
      readonly namespace: string;
      /** Empty for collections, and for what is created without an apply. */
      readonly name: string;
    }
  | { readonly path: string }
);

/** @param requests all of the user's */
export function rbacRecord(user: string, requests: readonly RecordedRequest[]): RbacRecord {
  const counts = new Map<string, number>();
  for (const { verb, group, resource, subresource, namespace, name, path } of requests.flatMap(
    rightsUsedBy,
  )) {
    const full = subresource === '' ? resource : `${resource}/${subresource}`;
    const key = JSON.stringify(
      path === '' ? { verb, group, resource: full, namespace, name } : { verb, path },
    );
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const distinct = Array.from(counts).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return {
    version: 1,
    user,
    requests: distinct.map(([key, count]) => ({ ...(JSON.parse(key) as RbacRequest), count })),
  };
}
