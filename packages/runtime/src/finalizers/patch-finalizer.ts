import type { Kind, KubernetesObject } from 'ots-kubernetes';
import { ApiError, type StatusDetails, isConflict, isInvalid, isNotFound } from '../errors/api-error.ts';
import type { Client } from '../client/client.ts';
import type { RequestOptions } from '../client/request-options.ts';
import { UsageError } from '../errors/usage-error.ts';
import type { DeepReadonly } from '../objects/deep-readonly.ts';
import { addingPatch, removingPatch } from './finalizer-patches.ts';
import { hasFinalizer } from './finalizers.ts';
import { keyOf, keyText } from '../objects/object-key.ts';
import type { JsonPatchOperation, MergePatch } from '../objects/patches.ts';

/** What the two functions need of a client. */
export type FinalizerClient = Pick<Client, 'patch'>;

/**
 * Each failed attempt means that another writer's change got through. After so many in a row, the growing delay of a
 * controller's queue is the better way to wait.
 */
const attempts = 10;

/**
 * Adds the finalizer to the object on the server without affecting concurrent changes of other finalizers. Costs one
 * request, and none when `object` has it already.
 * @param object as it was read; it may be out of date.
 * @returns the current object, or `object` if there was nothing to do.
 * @throws {UsageError} when `object` is being deleted: the server takes no new finalizers then.
 * @throws {ApiError} `isConflict` when it is being deleted since it was read, or when other writers were faster ten
 *   times in a row; `isNotFound` when it is gone, even if another of this name has taken its place. Controllers retry
 *   these silently.
 */
export async function ensureFinalizer<T extends KubernetesObject>(
  client: FinalizerClient,
  kind: Kind<T>,
  object: DeepReadonly<T>,
  finalizer: string,
  options: RequestOptions = {},
): Promise<DeepReadonly<T>> {
  const updated = await patchUntilTrue(client, kind, object, options, (current) => {
    if (hasFinalizer(current, finalizer)) return undefined;
    if (!current.metadata.deletionTimestamp) return addingPatch(current, finalizer);
    const message = `${named(kind, current)} is being deleted and cannot get a finalizer`;
    if (current === object) {
      throw new UsageError(message, 'Add finalizers only to objects without a deletionTimestamp.');
    }
    throw conflict(kind, current, message);
  });
  if (updated) return updated;
  const message = `${named(kind, object)} was deleted before it got its finalizer`;
  throw new ApiError({ code: 404, reason: 'NotFound', message, details: detailsOf(kind, object) });
}

function named(kind: Kind, object: DeepReadonly<KubernetesObject>): string {
  return `the ${kind.kind} ${keyText(keyOf(object))}`;
}

function conflict(kind: Kind, object: DeepReadonly<KubernetesObject>, message: string): ApiError {
  return new ApiError({ code: 409, reason: 'Conflict', message, details: detailsOf(kind, object) });
}

function detailsOf({ group, plural }: Kind, object: DeepReadonly<KubernetesObject>): StatusDetails {
  return { name: keyOf(object).name, group, kind: plural };
}

/**
 * Removes the finalizer from the object on the server without affecting concurrent changes of other finalizers. Costs
 * one request, and none when `object` does not have it.
 * @param object as it was read; it may be out of date.
 * @returns the current object, or `object` if there was nothing to do; undefined when it is gone.
 * @throws {ApiError} `isConflict` when other writers were faster ten times in a row. Controllers retry it silently.
 */
export async function dropFinalizer<T extends KubernetesObject>(
  client: FinalizerClient,
  kind: Kind<T>,
  object: DeepReadonly<T>,
  finalizer: string,
  options: RequestOptions = {},
): Promise<DeepReadonly<T> | undefined> {
  return patchUntilTrue(client, kind, object, options, (current) => removingPatch(current, finalizer));
}

/**
 * Sends the patch for the object as it was read, and when its tests fail, for the object as it is.
 * @returns undefined when the object is gone.
 */
async function patchUntilTrue<T extends KubernetesObject>(
  client: FinalizerClient,
  kind: Kind<T>,
  object: DeepReadonly<T>,
  options: RequestOptions,
  patchFor: (current: DeepReadonly<T>) => JsonPatchOperation[] | undefined,
): Promise<DeepReadonly<T> | undefined> {
  let current = object;
  for (let attempt = 1; ; attempt += 1) {
    const patch = patchFor(current);
    if (!patch) return current;
    try {
      return await send(client, kind, current, patch, options);
    } catch (error) {
      if (isGone(error)) return undefined;
      if (!wasOvertaken(error)) throw error;
      if (attempt === attempts) throw alwaysOvertaken(kind, current);
      const now = await readPastCaches(client, kind, current, options);
      if (now?.metadata.uid !== object.metadata.uid) return undefined;
      // No write came between, so the server refuses for another reason.
      if (now!.metadata.resourceVersion === current.metadata.resourceVersion) throw error;
      current = now!;
    }
  }
}

async function send<T extends KubernetesObject>(
  client: FinalizerClient,
  kind: Kind<T>,
  object: DeepReadonly<T>,
  patch: JsonPatchOperation[],
  options: RequestOptions,
): Promise<DeepReadonly<T>> {
  return (await client.patch(kind, keyOf(object), patch, { ...options, type: 'json' })) as DeepReadonly<T>;
}

function alwaysOvertaken(kind: Kind, object: DeepReadonly<KubernetesObject>): ApiError {
  const message = `other writers changed the finalizers of ${named(kind, object)} ${attempts} times, each time before this change`;
  return conflict(kind, object, message);
}

/**
 * A patch that changes nothing returns the current object. Unlike a read it bypasses every cache, and unlike a
 * live read it needs no further permission.
 */
async function readPastCaches<T extends KubernetesObject>(
  client: FinalizerClient,
  kind: Kind<T>,
  object: DeepReadonly<T>,
  options: RequestOptions,
): Promise<DeepReadonly<T> | undefined> {
  const patch = { metadata: { name: object.metadata.name } } as MergePatch<NoInfer<T>>;
  try {
    return (await client.patch(kind, keyOf(object), patch, { ...options, type: 'merge' })) as DeepReadonly<T>;
  } catch (error) {
    if (isGone(error)) return undefined;
    throw error;
  }
}

/**
 * A 404 that does not come from the API says nothing about the object: it may exist, and its finalizer must be removed.
 */
function isGone(error: unknown): boolean {
  return isNotFound(error) && !error.foreign;
}

/**
 * A test of the patch failed: the refusal of an invalid object names the fields, this one none. Or there was a
 * conflict, with which the server gives up when many others write at the same time.
 */
function wasOvertaken(error: unknown): boolean {
  return isConflict(error) || (isInvalid(error) && !error.details?.causes?.length);
}
