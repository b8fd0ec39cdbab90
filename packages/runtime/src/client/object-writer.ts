import type { Kind, KubernetesObject } from 'ots-kubernetes';
import { UsageError } from '../errors/usage-error.ts';
import { copyOf } from '../objects/copy-of.ts';
import type { DeepReadonly } from '../objects/deep-readonly.ts';
import { lockedPatch, mergePatchBetween } from '../objects/merge-patch.ts';
import type { ObjectKey } from '../objects/object-key.ts';
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

type Patch = object | readonly JsonPatchOperation[] | ((draft: never) => void);
type AnyPatchOptions = Omit<MergePatchOptions, 'type'> &
  Pick<DraftPatchOptions, 'optimisticLock'> & { type?: 'merge' | 'strategic' | 'json' | undefined };

/**
 * Changes objects, or one subresource of them.
 *
 * Every method returns what the server stored, and throws `ApiError` when the server refuses, `ConnectionError` when
 * it does not answer, and `UsageError` when a name or namespace is missing.
 */
export class ObjectWriter<Body extends KubernetesObject = never> {
  readonly #requests: ObjectRequests;
  readonly #subresource: string | undefined;

  /**
   * @param subresource the objects themselves when undefined.
   * @internal
   */
  constructor(requests: ObjectRequests, subresource: string | undefined) {
    this.#requests = requests;
    this.#subresource = subresource;
  }

  /**
   * Replaces the object. With the `resourceVersion` that was read, the update is refused (`isConflict`) when somebody
   * else was faster.
   * @throws {UsageError} when the kind is a projection or `metadataOf` one: all that they left out would be removed.
   */
  async update<T extends KubernetesObject>(
    kind: Kind<T>,
    object: Writable<Content<NoInfer<T>, Body>>,
    options: WriteOptions = {},
  ): Promise<Content<T, Body>> {
    refusePartial(kind, 'updated');
    const path = objectPath(kind, object.metadata, this.#subresource);
    return this.#write(kind, { method: 'PUT', path, body: object }, options);
  }

  /**
   * Changes fields of the object with a merge patch: absent fields stay, null removes, lists are replaced whole; or
   * with a strategic merge patch.
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
   * Changes an object that was read as `change` changes a copy of it: sends the merge patch between the two, and
   * nothing when they are equal. Lists that differ are sent whole; give `optimisticLock` when somebody else may change
   * the same list.
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
      return this.#write(
        kind,
        { method: 'PATCH', path, body: patch, contentType: `application/${format}+json` },
        options,
      );
    }
    const object = target as DeepReadonly<KubernetesObject>;
    const draft = structuredClone(object) as never;
    refusePromise((patch as (draft: never) => unknown)(draft));
    const difference = mergePatchBetween(object, draft);
    if (!difference) return draft;
    const { name, namespace, resourceVersion } = object.metadata;
    const body = optimisticLock ? lockedPatch(difference, resourceVersion) : difference;
    const path = objectPath(kind, { name, namespace }, this.#subresource);
    const contentType = `application/${patchFormats.merge}+json`;
    return this.#write(kind, { method: 'PATCH', path, body, contentType }, options);
  }

  /**
   * Server-side apply: creates the object, or changes it so that it has the fields of the configuration, which the
   * field owner then owns. Fields that it owned and does not name any more are removed.
   *
   * With a cache, nothing is sent when nothing would change: the cached object says in its managedFields that the
   * owner applied exactly these fields, and all have these values. Then a copy of the cached object is returned.
   * @throws {ApiError} `isConflict` when another owner has a field with another value, unless `force` is set.
   * @throws {UsageError} when neither the call nor the client nor the user agent names a field owner, or the kind is a
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
    return this.#write(
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
  }

  /** What the cache has, if it is there and knows: an apply works as well without. */
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
    // What the server answers to a write of a content is such a content; the type cannot be checked here.
    return this.#requests.write(kind, { ...request, subresource: this.#subresource }, options) as Promise<
      Content<T, Body>
    >;
  }
}

const patchFormats = {
  merge: 'merge-patch',
  strategic: 'strategic-merge-patch',
  json: 'json-patch',
} as const;

/** @throws {UsageError} when not all of the objects of the kind is known: what is not would be removed. */
export function refusePartial(kind: Kind, what: string): void {
  const known = projectionText(kind);
  if (known === undefined) return;
  throw new UsageError(
    `a ${kind.kind} of which only the ${known} is known cannot be ${what}`,
    'Use the kind itself; or patch it, which changes nothing but what the patch names.',
  );
}

function refusePromise(result: unknown): void {
  if (typeof (result as { then?: unknown } | undefined)?.then !== 'function') return;
  throw new UsageError(
    'the function that changes a draft is asynchronous: the patch would be made before it is done',
    'Await what it needs before the patch, and change the draft synchronously.',
  );
}
