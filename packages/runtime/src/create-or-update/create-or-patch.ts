import type { Kind, KubernetesObject } from 'ots-kubernetes';
import type { Client } from '../client/client.ts';
import { mergePatchBetween, patchOf } from '../objects/merge-patch.ts';
import type { WriteOptions } from '../client/request-options.ts';
import type { DeepReadonly } from '../objects/deep-readonly.ts';
import { type MutateFunction, draftOf } from './draft-of.ts';
import type { ObjectKey } from '../objects/object-key.ts';
import { onceMore } from './once-more.ts';
import type { MergePatch } from '../objects/patches.ts';

/** What `createOrPatch` found and did. */
export interface CreateOrPatchResult<T extends KubernetesObject> {
  /** As it is on the server now. */
  object: DeepReadonly<T>;
  /** What happened to everything except the status. */
  result: 'created' | 'updated' | 'unchanged';
  /** Whether the status was written. */
  statusUpdated: boolean;
}

/** How to write. A dry run is not supported: the status of an object that was not created cannot be written. */
export type CreateOrPatchOptions = Omit<WriteOptions, 'dryRun'>;

type Fields = Record<string, unknown>;

/**
 * Reads the object, lets `mutate` set the desired state, and sends the difference as merge patches: one for the object
 * and one for its status, which is a subresource. The status that `mutate` sets on a new object is written after the
 * object was created. Only what `mutate` changed is sent, so other writers' changes to other fields stay; lists are
 * sent whole, and the last writer of one wins.
 *
 * The patches are only for the object that was read or created: if it was deleted and created again meanwhile, this is a conflict, after
 * which everything is done once more.
 *
 * The kind must have the status subresource if `mutate` sets a status. Prefer `client.apply`, as with `createOrUpdate`.
 * @param mutate may run twice, on another object each time; it must not change name or namespace.
 * @param options for each write; the signal and the timeout also for the read.
 * @throws {UsageError} if `mutate` renamed the object. Errors of `mutate` and of the client.
 */
export async function createOrPatch<T extends KubernetesObject>(
  client: Pick<Client, 'get' | 'create' | 'patch' | 'status'>,
  kind: Kind<T>,
  key: ObjectKey,
  mutate: MutateFunction<NoInfer<T>>,
  options: CreateOrPatchOptions = {},
): Promise<CreateOrPatchResult<T>> {
  return onceMore(async () => {
    const existing = await client.get(kind, key, options);
    const draft = await draftOf(kind, key, existing, mutate);
    const before = existing ?? (await client.create(kind, draft, options));
    const [fieldsBefore, statusBefore] = split(before);
    const [fieldsAfter, statusAfter] = split(draft);
    const patch = existing && mergePatchBetween(fieldsBefore, fieldsAfter);
    // Does not remove what the server put into the status of a new object.
    const statusPatch = mergePatchBetween(existing ? statusBefore : {}, statusAfter);
    const exactly = (change: Fields) => patchOf(before.metadata, change) as MergePatch<T>;
    let object = before as DeepReadonly<T>;
    if (patch) object = (await client.patch(kind, key, exactly(patch), options)) as DeepReadonly<T>;
    if (statusPatch) {
      object = (await client.status.patch(kind, key, exactly(statusPatch), options)) as DeepReadonly<T>;
    }
    const result = !existing ? 'created' : patch ? 'updated' : 'unchanged';
    return { object, result, statusUpdated: statusPatch !== undefined };
  });
}

/** The object without its status, and the status alone. */
function split(object: unknown): [Fields, Fields] {
  const { status, ...fields } = object as Fields;
  return [fields, { status }];
}
