import type { AuditAnnotations } from '../audit/audit-annotations.ts';
import type { UserInfo } from '../authentication/user-info.ts';
import type { RequestClient } from './request-client.ts';
import type { Resource } from './resource.ts';

/** The objects that a request is about. */
export interface Target {
  resource: Resource;
  /** Empty for cluster-scoped resources, and for all namespaces. */
  namespace: string;
  /** Empty for a collection. */
  name: string;
  /** Empty for the object itself. */
  subresource: string;
  /** Whether the path is below `watch/`, which watches even a single object. */
  isWatch?: boolean;
}

/** The options of a write. */
export interface WriteOptions {
  /** Who writes. */
  user: UserInfo;
  /** Whether to do everything but store the result. */
  dryRun: boolean;
  /** The manager who owns the written fields. Undefined to keep the managers of the object. */
  manager?: string;
  /** Undefined for the server itself. */
  client?: RequestClient;
  /** Receives warnings for the client, also when the request is refused. */
  warnings?: string[];
  /** Receives audit annotations. Undefined when nothing records the request. */
  audit?: AuditAnnotations | undefined;
  /** Whether an update or an apply creates an object that is missing, which needs the right to create it. */
  createsMissing?: boolean;
  /** The options as the client sent them, for admission. */
  sent?: { fieldManager?: string; fieldValidation?: string };
}
