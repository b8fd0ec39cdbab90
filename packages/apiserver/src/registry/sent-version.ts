import type { ApiObject } from '../json/api-object.ts';
import { invalidObject, modified } from '../status/errors.ts';
import { invalid } from '../status/field-error.ts';
import { StatusError } from '../status/status-error.ts';
import type { StoredRecord } from '../storage/stored-record.ts';
import { resourceName } from './resource.ts';
import { versionProblem } from './resource-version.ts';
import type { Target } from './target.ts';

/**
 * The resource version that an object was sent with, as a number.
 *
 * @returns 0 where the object has none, or a zero: kube-apiserver does not tell them apart
 * @throws {StatusError} 500, as kube-apiserver answers a text that is not a number of 64 bits
 */
export function sentVersion({ metadata: { resourceVersion = '' } }: ApiObject): number {
  if (resourceVersion === '') return 0;
  const problem = versionProblem(resourceVersion);
  if (problem !== undefined) throw new StatusError(500, undefined, problem);
  return Number(resourceVersion);
}

/**
 * Checks that an object was made from the state that is stored.
 *
 * @throws {StatusError} 409 when it was made from another one, 422 when the kind has to say from which, 500 as {@link sentVersion}
 */
export function checkVersion({ resource, name }: Target, object: ApiObject, record: StoredRecord): void {
  const sent = sentVersion(object);
  if (sent === record.revision) return;
  if (sent !== 0) throw modified(resourceName(resource), name);
  if (resource.strategy.allowsUnconditionalUpdate) return;
  const error = invalid('metadata.resourceVersion', 0, 'must be specified for an update');
  throw invalidObject(resourceName(resource), name, [error]);
}
