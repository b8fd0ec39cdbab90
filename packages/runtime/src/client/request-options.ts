import type { Duration } from 'ots-kubernetes';
import type { LabelSelector } from '../selectors/label-selector.ts';
import { labelSelectorText } from '../selectors/label-selector-text.ts';
import type { Query } from '../transport/transport-request.ts';

/** What every call takes. */
export interface RequestOptions {
  /**
   * Gives the request up when it aborts; the call rejects with its reason. By default the signal of the reconciler's
   * run that the call is a part of.
   */
  signal?: AbortSignal | undefined;
  /** How long one attempt may take; a number is milliseconds. `'30s'` by default. */
  timeout?: Duration | number | undefined;
}

/** What every write takes. */
export interface WriteOptions extends RequestOptions {
  /** Have the server go through all the steps of the write, and return the result, but store nothing; false by default. */
  dryRun?: boolean | undefined;
  /** Who owns the fields that are written (`fieldManager` of Kubernetes); that of the client by default. */
  fieldOwner?: string | undefined;
  /**
   * What the server does about fields that it does not know and that are given twice: drop them, drop them with a
   * warning (its default), or refuse the write (`isBadRequest`).
   */
  fieldValidation?: 'Ignore' | 'Warn' | 'Strict' | undefined;
}

/** How to patch: what the patch is. */
export interface MergePatchOptions extends WriteOptions {
  /**
   * A JSON merge patch (RFC 7386), or a strategic merge patch, which merges lists of built-in kinds by their keys; the
   * server refuses it for custom kinds. `'merge'` by default.
   */
  type?: 'merge' | 'strategic' | undefined;
}

/** How to patch with a list of operations. */
export interface JsonPatchOptions extends WriteOptions {
  /** A list of operations is a JSON patch (RFC 6902), whether it says so or not. */
  type?: 'json' | undefined;
}

/** How to patch with a function. */
export interface DraftPatchOptions extends WriteOptions {
  /** Have the patch refused (`isConflict`) when the object has changed since it was read; false by default. */
  optimisticLock?: boolean | undefined;
}

/** How to apply. The server validates fields of an applied configuration strictly, always. */
export interface ApplyOptions extends Omit<WriteOptions, 'fieldValidation'> {
  /** Take fields over from other owners instead of being refused (`isConflict`); false by default. */
  force?: boolean | undefined;
}

/** Which objects of a kind. All that is given must hold. */
export interface SelectOptions {
  /** All namespaces when absent. */
  namespace?: string | undefined;
  /**
   * As in `kubectl -l`, for example `app=web,tier!=cache`, or as in the specs of Kubernetes objects; all objects by
   * default.
   */
  labelSelector?: string | LabelSelector | undefined;
  /** As in `kubectl --field-selector`; all objects by default. Not for reads from a cache. */
  fieldSelector?: string | undefined;
}

/** Which objects to go through. */
export interface ItemsOptions extends SelectOptions, RequestOptions {
  /** Values of indexes of the cache, by the names of the indexes; none by default. Only for reads from a cache. */
  index?: Readonly<Record<string, string>> | undefined;
}

/** Which objects to list, and which page of them. */
export interface ListOptions extends ItemsOptions {
  /**
   * At most this many items, all by default; `metadata.continue` of the result goes on from there. Not for reads from a
   * cache.
   */
  limit?: number | undefined;
  /** Goes on with the list that returned it. Not for reads from a cache. */
  continue?: string | undefined;
}

/** How to delete. */
export interface DeleteOptions extends RequestOptions {
  /** Delete only this incarnation or this version, and refuse otherwise (`isConflict`); any by default. */
  preconditions?: { uid?: string | undefined; resourceVersion?: string | undefined } | undefined;
  /** What becomes of the objects that it owns; the server's default for the kind when absent. */
  propagationPolicy?: 'Orphan' | 'Background' | 'Foreground' | undefined;
  /** How long a pod may take to end, in seconds; what its spec says when absent. 0 does not wait. */
  gracePeriodSeconds?: number | undefined;
  /** Have the server go through all the steps, but delete nothing; false by default. */
  dryRun?: boolean | undefined;
}

/** Which objects to delete, and how. */
export interface DeleteCollectionOptions extends DeleteOptions, SelectOptions {}

/** What is sent with a deletion. */
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

/** The parameters of a URL that select objects. */
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
  /** The path below the server's URL, encoded; it begins with a slash. */
  path: string;
  /** Parameters of the URL; none by default. Undefined ones are left out. */
  query?: Readonly<Record<string, string | number | boolean | undefined>> | undefined;
  /** Sent as JSON; nothing by default. */
  body?: unknown;
  /** `application/json` by default. */
  contentType?: string | undefined;
  /** The `Accept` header; `application/json` by default. */
  accept?: string | undefined;
  /** How to read the answer: parsed as JSON, which is the default, or as it is. */
  answer?: 'json' | 'text' | undefined;
}
