import type { Duration, KubernetesObject } from 'ots-kubernetes';
import { UsageError } from '../errors/usage-error.ts';
import type { DeepReadonly } from '../objects/deep-readonly.ts';
import type { ObjectKey } from '../objects/object-key.ts';
import type { LabelSelector } from '../selectors/label-selector.ts';
import { labelSelectorText } from '../selectors/label-selector-text.ts';
import type { Query } from '../transport/transport-request.ts';

/** Options of every call. */
export interface RequestOptions {
  /**
   * Cancels the request when it aborts; the call rejects with its reason. By default the signal of the reconcile that
   * makes the call.
   */
  signal?: AbortSignal | undefined;
  /** How long one attempt may take; a number is milliseconds. `'30s'` by default. */
  timeout?: Duration | number | undefined;
}

/** Options of every write. */
export interface WriteOptions extends RequestOptions {
  /** Lets the server process the write and return the result without storing it; false by default. */
  dryRun?: boolean | undefined;
  /** The owner of the written fields (`fieldManager` in Kubernetes); that of the client by default. */
  fieldOwner?: string | undefined;
  /**
   * How the server treats unknown and duplicate fields: drop them, drop them with a warning (its default), or refuse
   * the write (`isBadRequest`).
   */
  fieldValidation?: 'Ignore' | 'Warn' | 'Strict' | undefined;
}

/** How to patch. */
export interface MergePatchOptions extends WriteOptions {
  /**
   * A JSON merge patch (RFC 7386), or a strategic merge patch, which merges lists of built-in kinds by their keys; the
   * server refuses it for custom kinds. `'merge'` by default.
   */
  type?: 'merge' | 'strategic' | undefined;
}

/** How to patch with a list of operations. */
export interface JsonPatchOptions extends WriteOptions {
  /** Optional: a list of operations is always a JSON patch (RFC 6902). */
  type?: 'json' | undefined;
}

/** How to patch with a function. */
export interface DraftPatchOptions extends WriteOptions {
  /** Refuses the patch (`isConflict`) if the object has changed since it was read; false by default. */
  optimisticLock?: boolean | undefined;
}

/** How to apply. The server always validates the fields of an applied configuration strictly. */
export interface ApplyOptions extends Omit<WriteOptions, 'fieldValidation'> {
  /** Takes fields over from other owners instead of failing (`isConflict`); false by default. */
  force?: boolean | undefined;
}

/** Selects objects of a kind. An object must match all options. */
export interface SelectOptions {
  /** All namespaces by default. */
  namespace?: string | undefined;
  /**
   * As in `kubectl -l`, for example `app=web,tier!=cache`, or as in the specs of Kubernetes objects; all objects by
   * default.
   */
  labelSelector?: string | LabelSelector | undefined;
  /** As in `kubectl --field-selector`; all objects by default. Not for reads from a cache. */
  fieldSelector?: string | undefined;
}

/** Which objects to iterate over. */
export interface ItemsOptions extends SelectOptions, RequestOptions {
  /** Values of indexes of the cache, by the names of the indexes; none by default. Only for reads from a cache. */
  index?: Readonly<Record<string, string>> | undefined;
}

/** Which objects to list, and which page of them. */
export interface ListOptions extends ItemsOptions {
  /**
   * The maximum number of items, all by default; pass `metadata.continue` of the result to read the next page. Not for
   * reads from a cache.
   */
  limit?: number | undefined;
  /** Continues the list that returned it. Not for reads from a cache. */
  continue?: string | undefined;
}

/** How to delete. */
export interface DeleteOptions extends RequestOptions {
  /**
   * Deletes the object that was read only if it has not changed since, and fails otherwise (`isConflict`); false by default. For deletions that
   * were decided on what the object says.
   */
  optimisticLock?: boolean | undefined;
  /** Deletes only the object with this uid or version, and fails otherwise (`isConflict`); by default the uid of an object that was read. */
  preconditions?: { uid?: string | undefined; resourceVersion?: string | undefined } | undefined;
  /** What happens to the objects that it owns; the server's default for the kind if absent. */
  propagationPolicy?: 'Orphan' | 'Background' | 'Foreground' | undefined;
  /** How long a pod may take to stop, in seconds; by default what its spec says. 0 does not wait. */
  gracePeriodSeconds?: number | undefined;
  /** Lets the server process the request without deleting anything; false by default. */
  dryRun?: boolean | undefined;
}

/** Which objects to delete, and how. */
export interface DeleteCollectionOptions extends Omit<DeleteOptions, 'optimisticLock'>, SelectOptions {}

/**
 * What must hold of the object that is deleted.
 * @param target an object that was read, or a key
 * @throws {UsageError} if an object has no uid, or a key is used with `optimisticLock`.
 */
export function preconditionsOf(
  target: ObjectKey | DeepReadonly<KubernetesObject>,
  { optimisticLock = false, preconditions }: DeleteOptions,
): DeleteOptions['preconditions'] {
  if (!('metadata' in target)) {
    if (!optimisticLock) return preconditions;
    throw new UsageError('A key has no version to lock', 'Pass the object that was read instead of its key.');
  }
  const { uid, resourceVersion, name } = target.metadata;
  if (uid === undefined)
    throw new UsageError(
      `The object ${name} to delete has no uid, so it was never read`,
      'Read it first, or pass its name and namespace to delete whatever has this name.',
    );
  return { uid, ...(optimisticLock && { resourceVersion }), ...preconditions };
}

/** The body of a deletion. */
export function deleteBody({
  preconditions,
  propagationPolicy,
  gracePeriodSeconds,
  dryRun,
}: DeleteOptions): Record<string, unknown> {
  return {
    apiVersion: 'v1',
    kind: 'DeleteOptions',
    preconditions,
    propagationPolicy,
    gracePeriodSeconds,
    dryRun: dryRun ? ['All'] : undefined,
  };
}

/** The query parameters that select objects. */
export function selectQuery({ labelSelector, fieldSelector }: SelectOptions): Query {
  return {
    labelSelector: labelSelector === undefined ? undefined : labelSelectorText(labelSelector),
    fieldSelector,
  };
}

/** A request to any path of the API server, such as `/version`, `/metrics` or the log of a pod. */
export interface RawRequest extends RequestOptions {
  /** `GET` by default. */
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | undefined;
  /** The encoded path below the server's URL; it starts with a slash. */
  path: string;
  /** Query parameters; none by default. Undefined ones are omitted. */
  query?: Readonly<Record<string, string | number | boolean | undefined>> | undefined;
  /** Sent as JSON; nothing by default. */
  body?: unknown;
  /** `application/json` by default. */
  contentType?: string | undefined;
  /** The `Accept` header; `application/json` by default. */
  accept?: string | undefined;
  /** How to return the response: parsed as JSON, which is the default, or as text. */
  responseType?: 'json' | 'text' | undefined;
}
