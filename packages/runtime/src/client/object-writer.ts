import type { Kind, KubernetesObject } from 'ots-kubernetes';
import { UsageError } from '../errors/usage-error.ts';
import { copyOf } from '../objects/copy-of.ts';
import type { DeepReadonly } from '../objects/deep-readonly.ts';
import { mergePatchBetween, patchOf } from '../objects/merge-patch.ts';
import { type ObjectKey, keyOf } from '../objects/object-key.ts';
import type { JsonPatchOperation, MergePatch } from '../objects/patches.ts';
import { isProjectedKind, projectionText } from '../objects/projection-of.ts';
import { isApplied } from './applied.ts';
import type { ApplyConfiguration, Content, Writable } from './content.ts';
import type { ObjectRequests } from './object-requests.ts';
import type {
  ApplyOptions,
  DraftPatchOptions,
  JsonPatchOptions,
  MergePatchOptions,
  WriteOptions,
} from './request-options.ts';
import { objectPath } from './resource-path.ts';
import { ofSameObject } from './same-object.ts';

type Patch = object | readonly JsonPatchOperation[] | ((draft: never) => void);
type AnyPatchOptions = Omit<MergePatchOptions, 'type'> &
  Pick<DraftPatchOptions, 'optimisticLock'> & { type?: 'merge' | 'strategic' | 'json' | undefined };

/**
 * Changes objects, or one subresource of them.
 *
 * Every method returns what the server stored, and throws `ApiError` when the server refuses, `ConnectionError` when
 * it does not respond, and `UsageError` when a name or namespace is missing.
 */
export class ObjectWriter<Body extends KubernetesObject = never> {
  readonly #requests: ObjectRequests;
  readonly #subresource: string | undefined;

  /**
   * @param subresource the objects themselves if undefined.
   * @internal
   */
  constructor(requests: ObjectRequests, subresource: string | undefined) {
    this.#requests = requests;
    this.#subresource = subresource;
  }

  /**
   * Replaces the object. With the `resourceVersion` that was read, the update is refused (`isConflict`) if the object
   * has changed since.
   * @throws {UsageError} if the kind is a projection or a `metadataOf` kind: everything that it omits would be removed.
   */
  async update<T extends KubernetesObject>(
    kind: Kind<T>,
    object: Writable<Content<NoInfer<T>, Body>>,
    options: WriteOptions = {},
  ): Promise<Content<T, Body>> {
    refusePartial(kind, 'updated');
    const path = objectPath(kind, object.metadata, this.#subresource);
    const written = this.#write(kind, { method: 'PUT', path, body: object }, options);
    return await this.#requests.overtakable(kind, keyOf(object), object.metadata, written);
  }

  /**
   * Changes fields of the object with a merge patch: absent fields stay, null removes, lists are replaced whole; or
   * with a strategic merge patch. One with a `metadata.uid` is only for the object that has it.
   * @throws {ApiError} `isConflict` if the object with this name has another uid. The server ignores the uid in the status and the scale of
   *   custom resources: then the patch has changed the other object.
   */
  patch<T extends KubernetesObject>(
    kind: Kind<T>,
    key: ObjectKey,
    patch: MergePatch<Content<NoInfer<T>, Body>>,
    options?: MergePatchOptions,
  ): Promise<Content<T, Body>>;
  /** Changes the object with the operations of a JSON patch. */
  patch<T extends KubernetesObject>(
    kind: Kind<T>,
    key: ObjectKey,
    patch: readonly JsonPatchOperation[],
    options?: JsonPatchOptions,
  ): Promise<Content<T, Body>>;
  /**
   * Lets `change` modify a copy of an object that was read, and sends the merge patch between the two, or nothing if
   * they are equal. Lists that differ are sent whole; set `optimisticLock` if others may change the same list.
   *
   * The patch is only for the object that was read, not for one that was created later under its name.
   * @throws {ApiError} `isConflict` if the object with this name has another uid. The server ignores the uid in the status and the scale of
   *   custom resources: then the patch has changed the other object. With `optimisticLock` it never does.
   */
  patch<T extends KubernetesObject>(
    kind: Kind<T>,
    object: Writable<Content<NoInfer<T>, Body>>,
    change: (draft: Content<NoInfer<T>, Body>) => void,
    options?: DraftPatchOptions,
  ): Promise<Content<T, Body>>;
  async patch<T extends KubernetesObject>(
    kind: Kind<T>,
    target: ObjectKey | Writable<Content<T, Body>>,
    patch: Patch,
    { type, optimisticLock = false, ...options }: AnyPatchOptions = {},
  ): Promise<Content<T, Body>> {
    if (typeof patch !== 'function') {
      const path = objectPath(kind, target as ObjectKey, this.#subresource);
      const format = Array.isArray(patch) ? 'json-patch' : patchFormats[type ?? 'merge'];
      return await this.#patch(kind, target as ObjectKey, { path, body: patch, format }, options);
    }
    const object = target as DeepReadonly<KubernetesObject>;
    const draft = structuredClone(object) as never;
    refusePromise((patch as (draft: never) => unknown)(draft));
    const difference = mergePatchBetween(object, draft);
    if (!difference) return draft;
    const body = patchOf(object.metadata, difference, optimisticLock);
    const key = keyOf(object);
    const path = objectPath(kind, key, this.#subresource);
    return await this.#patch(kind, key, { path, body, format: patchFormats.merge }, options);
  }

  /**
   * Server-side apply: creates the object, or changes it so that it has the fields of the configuration, which the
   * field owner then owns. Fields that it owned and no longer names are removed.
   *
   * With a cache, it sends nothing if nothing would change: if the managedFields of the cached object show that the
   * owner applied exactly these fields and all have these values. Then it returns a copy of the cached object.
   * @throws {ApiError} `isConflict` if another owner has a field with a different value, unless `force` is set.
   * @throws {UsageError} if neither the call nor the client nor the user agent names a field owner, or the kind is a
   *   projection.
   */
  async apply<T extends KubernetesObject>(
    kind: Kind<T>,
    configuration: ApplyConfiguration<Content<NoInfer<T>, Body>>,
    { force, ...options }: ApplyOptions = {},
  ): Promise<Content<T, Body>> {
    if (isProjectedKind(kind)) refusePartial(kind, 'applied');
    const key = { name: configuration.metadata.name, namespace: configuration.metadata.namespace };
    const path = objectPath(kind, key, this.#subresource);
    const { apiVersion, kind: name } = kind;
    const body: object = Object.assign({ apiVersion, kind: name }, configuration);
    const fieldOwner = this.#requests.ownerOf(options);
    const cached = options.dryRun ? undefined : this.#cached(kind, key);
    if (cached && isApplied(body, cached, fieldOwner, this.#subresource)) {
      options.signal?.throwIfAborted();
      return copyOf(cached) as Content<T, Body>;
    }
    const written = this.#write(
      kind,
      {
        method: 'PATCH',
        path,
        query: { force },
        body,
        contentType: 'application/apply-patch+yaml',
      },
      { ...options, fieldOwner },
    );
    return await this.#requests.overtakable(kind, key, configuration.metadata, written);
  }

  /** The cached object, if available: an apply also works without it. */
  #cached(kind: Kind, key: ObjectKey): DeepReadonly<KubernetesObject> | undefined {
    try {
      return this.#requests.cache?.get(kind, key);
    } catch {
      return undefined;
    }
  }

  #write<T extends KubernetesObject>(
    kind: Kind<T>,
    request: Parameters<ObjectRequests['write']>[1],
    options: WriteOptions,
  ): Promise<Content<T, Body>> {
    // The server responds to a write with the same type of content, which cannot be checked here.
    return this.#requests.write(kind, { ...request, subresource: this.#subresource }, options) as Promise<
      Content<T, Body>
    >;
  }

  async #patch<T extends KubernetesObject>(
    kind: Kind<T>,
    key: ObjectKey,
    { path, body, format }: { path: string; body: object; format: PatchFormat },
    options: WriteOptions,
  ): Promise<Content<T, Body>> {
    const contentType = `application/${format}+json`;
    const written = this.#write(kind, { method: 'PATCH', path, body, contentType }, options);
    const { metadata = {} } = body as Partial<KubernetesObject>;
    return (await this.#requests.overtakable(kind, key, metadata, ofSameObject(body, written))) as Content<
      T,
      Body
    >;
  }
}

type PatchFormat = 'json-patch' | (typeof patchFormats)[keyof typeof patchFormats];

const patchFormats = {
  merge: 'merge-patch',
  strategic: 'strategic-merge-patch',
  json: 'json-patch',
} as const;

/** @throws {UsageError} if only a part of the objects of the kind is read: the rest would be removed. */
export function refusePartial(kind: Kind, what: string): void {
  const known = projectionText(kind);
  if (known === undefined) return;
  throw new UsageError(
    `A ${kind.kind} that was read with only its ${known} cannot be ${what}`,
    'Use the whole kind, or patch the object: a patch changes only what it names.',
  );
}

function refusePromise(result: unknown): void {
  if (typeof (result as { then?: unknown } | undefined)?.then !== 'function') return;
  throw new UsageError(
    'The function that changes the draft is asynchronous, but the patch is computed when it returns',
    'Await what it needs before the patch, and change the draft synchronously.',
  );
}
