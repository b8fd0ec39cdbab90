import type { ApiObject } from '../json/api-object.ts';
import { invalidObject, modified } from '../status/errors.ts';
import { invalid } from '../status/field-error.ts';
import { StatusError } from '../status/status-error.ts';
import type { StoredRecord } from '../storage/stored-record.ts';
import { resourceName } from './resource.ts';
import { versionProblem } from './resource-version.ts';
import type { Target } from './target.ts';

/**
 * The resource version in an object from a client, as a number.
 *
 * @returns 0 where it is absent or zero: kube-apiserver does not distinguish them
 * @throws {StatusError} 500, like kube-apiserver, for a text that is not a 64-bit number
 */
export function sentVersion({ metadata: { resourceVersion = '' } }: ApiObject): number {
  if (resourceVersion === '') return 0;
  const problem = versionProblem(resourceVersion);
  if (problem !== undefined) throw new StatusError(500, undefined, problem);
  return Number(resourceVersion);
}

/**
 * Checks that an update is based on the stored state.
 *
 * @throws {StatusError} 409 when it is based on another one, 422 when the kind requires a resource version, 500 as
 *   {@link sentVersion}
 */
export function checkVersion({ resource, name }: Target, object: ApiObject, record: StoredRecord): void {
  const sent = sentVersion(object);
  if (sent === record.revision) return;
  if (sent !== 0) throw modified(resourceName(resource), name);
  if (resource.strategy.allowsUnconditionalUpdate) return;
  const error = invalid('metadata.resourceVersion', 0, 'must be specified for an update');
  throw invalidObject(resourceName(resource), name, [error]);
}
