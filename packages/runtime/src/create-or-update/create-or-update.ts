import type { Kind, KubernetesObject } from 'ots-kubernetes';
import type { Client } from '../client/client.ts';
import { sameJson } from '../objects/merge-patch.ts';
import type { WriteOptions } from '../client/request-options.ts';
import type { DeepReadonly } from '../objects/deep-readonly.ts';
import { type MutateFunction, draftOf } from './draft-of.ts';
import type { ObjectKey } from '../objects/object-key.ts';
import { onceMore } from './once-more.ts';

/** What `createOrUpdate` found and did. */
export interface CreateOrUpdateResult<T extends KubernetesObject> {
  /** As it is on the server now. */
  object: DeepReadonly<T>;
  /** What happened to the object. */
  result: 'created' | 'updated' | 'unchanged';
}

/**
 * Reads the object, lets `mutate` set the desired state, and creates or replaces the object if it changed. Retried once
 * after a conflict.
 *
 * Prefer `client.apply` if possible: it states the desired fields and leaves the rest to their owners, needs no read,
 * and is not confused by defaults of the server. Here, a `mutate` that replaces a whole list or struct takes the
 * server's defaults away and so writes each time, forever. Use this where the new value depends on the present one,
 * and not where a cache keeps only a part of the objects (`transform`): what is read is written back whole.
 * @param mutate may run twice, on another object each time; it must not change name or namespace.
 * @param options for the create or the update; the signal and the timeout also for the read. After a dry run, the
 *   result says what would have become of the object.
 * @throws {UsageError} if `mutate` renamed the object. Errors of `mutate` and of the client.
 */
export async function createOrUpdate<T extends KubernetesObject>(
  client: Pick<Client, 'get' | 'create' | 'update'>,
  kind: Kind<T>,
  key: ObjectKey,
  mutate: MutateFunction<NoInfer<T>>,
  options: WriteOptions = {},
): Promise<CreateOrUpdateResult<T>> {
  return onceMore(async () => {
    const existing = await client.get(kind, key, options);
    const draft = await draftOf(kind, key, existing, mutate);
    if (!existing) return { object: readOnly(await client.create(kind, draft, options)), result: 'created' };
    if (sameJson(existing, draft)) return { object: readOnly(existing), result: 'unchanged' };
    return { object: readOnly(await client.update(kind, draft, options)), result: 'updated' };
  });
}

function readOnly<T extends KubernetesObject>(object: T | DeepReadonly<T>): DeepReadonly<T> {
  return object as DeepReadonly<T>;
}
