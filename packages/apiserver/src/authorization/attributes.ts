import type { FieldTerm } from 'ots-apimachinery/selectors/field-selector';
import type { UserInfo } from '../authentication/user-info.ts';

/** A request as authorizers see it: about a resource, or about a path outside of resources. */
export type Attributes = ResourceAttributes | PathAttributes;

/** Access to a resource. The resource need not exist. */
export interface ResourceAttributes {
  readonly user: UserInfo;
  /** Such as `get`, `list`, `watch` or `deletecollection`. */
  readonly verb: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  /** Empty for the object itself. */
  readonly subresource: string;
  /** Empty for cluster-scoped resources, and for all namespaces. */
  readonly namespace: string;
  /** Empty for a collection. */
  readonly name: string;
  /** What a list, watch or deletion of a collection is limited to. Roles do not use it, but nodes may list their own pods only. */
  readonly fieldSelector?: readonly FieldTerm[];
}

/** Access to a path that is not a resource. */
export interface PathAttributes {
  readonly user: UserInfo;
  /** The HTTP method in lower case. */
  readonly verb: string;
  readonly path: string;
}

/** What an authorizer decides. */
export interface Decision {
  readonly allowed: boolean;
  /** Why, in the words of kube-apiserver. Often empty. */
  readonly reason: string;
}

export function isPath(attributes: Attributes): attributes is PathAttributes {
  return 'path' in attributes;
}
