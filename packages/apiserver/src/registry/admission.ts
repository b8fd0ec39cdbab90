import type { AuditAnnotations } from '../audit/audit-annotations.ts';
import type { UserInfo } from '../authentication/user-info.ts';
import type { ApiObject } from '../json/api-object.ts';
import type { Machinery } from './machinery.ts';
import type { RequestClient } from './request-client.ts';
import type { Resource } from './resource.ts';
import type { Target, WriteOptions } from './target.ts';

/** What a request does, in the terms of admission. */
type Operation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

/** What admission knows about a request. */
export interface AdmissionAttributes {
  readonly operation: Operation;
  readonly target: Target;
  /** The name that the request states. Empty when the server makes up the name, and in a deletion of many. */
  readonly name: string;
  /** The kind of the object, which at some subresources is not that of the resource. */
  readonly kind: Resource;
  readonly user: UserInfo;
  /** Undefined for a request of the server itself. */
  readonly client: RequestClient | undefined;
  readonly dryRun: boolean;
  /** Such as `CreateOptions` as JSON. Undefined for a connection. */
  readonly options: object | undefined;
  /** In the version of the request. The mutating phase changes or replaces it. Undefined in a deletion. */
  object: ApiObject | undefined;
  /** The stored state in the version of the request, which is shared and must not be changed. */
  readonly oldObject: ApiObject | undefined;
  /** Receives warnings for the client. */
  readonly warnings: string[];
  /** Receives audit annotations. Undefined when nothing records the request. */
  readonly audit: AuditAnnotations | undefined;
}

/**
 * Decides about requests after authorization: it may change an object, and refuse it. Both phases return undefined
 * when they are done at once, so that a write that no webhook wants to see stays synchronous.
 */
export interface Admission {
  /** Whether a phase may have to wait: then others can write in the meantime. */
  readonly mayWait: boolean;
  /** @throws {StatusError} when it refuses the request */
  mutate(attributes: AdmissionAttributes): Promise<void> | undefined;
  /** @throws {StatusError} when it refuses the request */
  validate(attributes: AdmissionAttributes): Promise<void> | undefined;
}

/** The attributes of a create or an update. */
export function writeAttributes(
  operation: 'CREATE' | 'UPDATE',
  target: Target,
  { object, oldObject }: { object: ApiObject; oldObject?: ApiObject },
  options: WriteOptions,
): AdmissionAttributes & { object: ApiObject } {
  const { user, client, dryRun, warnings = [], audit, sent } = options;
  const kind = `${operation === 'CREATE' ? 'Create' : 'Update'}Options`;
  return {
    operation,
    target,
    name: target.name === '' ? (object.metadata.name ?? '') : target.name,
    kind: target.resource,
    user,
    client,
    dryRun,
    options: { kind, apiVersion: 'meta.k8s.io/v1', ...(dryRun && { dryRun: ['All'] }), ...sent },
    object,
    oldObject,
    warnings,
    audit,
  };
}

/** Whether a write may have to wait for a webhook of admission or conversion: then others can write in the meantime. */
export function mayWait({ admission }: Machinery, { resource }: Target): boolean {
  return admission.mayWait || resource.strategy.slowConversion !== undefined;
}

/** Another request was faster while admission decided about this one. */
class ChangedMeanwhileError extends Error {}

/**
 * Checks that an object did not change while admission decided about its update.
 *
 * @throws {ChangedMeanwhileError} for {@link retryChanged}
 */
export function checkUnchanged({ resource }: Target, record: { readonly key: string }): void {
  if (resource.table.get(record.key) !== record) throw new ChangedMeanwhileError();
}

/** Starts an operation again from the new state when another request changed the object meanwhile. */
export function retryChanged<Result>(attempt: () => Result | Promise<Result>): Result | Promise<Result> {
  const retry = (error: unknown) => {
    if (!(error instanceof ChangedMeanwhileError)) throw error;
    return retryChanged(attempt);
  };
  try {
    const result = attempt();
    return result instanceof Promise ? result.catch(retry) : result;
  } catch (error) {
    return retry(error);
  }
}

/**
 * Runs both phases for a request without changes in between.
 *
 * @returns undefined when they are done at once
 */
export function admit({ admission }: Machinery, attributes: AdmissionAttributes): Promise<void> | undefined {
  const validate = () => admission.validate(attributes);
  return admission.mutate(attributes)?.then(validate) ?? validate();
}
