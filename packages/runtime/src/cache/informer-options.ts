import type { KubernetesObject } from 'ots-kubernetes';
import { UsageError } from '../errors/usage-error.ts';
import { fieldMatcher } from '../selectors/field-matcher.ts';
import type { LabelSelector } from '../selectors/label-selector.ts';
import { labelSelectorText } from '../selectors/label-selector-text.ts';
import {
  type NamespaceSelection,
  checkNamespaces,
  isLabeled,
  selectorTextOf,
} from './namespace-selection.ts';

/**
 * Changes every object before it is cached, to keep less of it: for example by dropping a large field, as
 * `withoutManagedFields` does. It may modify its argument. It must be idempotent and must not change apiVersion, kind,
 * name, namespace, uid, resourceVersion or labels.
 *
 * What it drops is missing from every object that is read, although the type does not show it: an update with such an
 * object removes the field from the server. Patch such kinds, or use `projectionOf`, where such an update does not
 * compile.
 *
 * If it throws, the error is logged and the object is cached as the server sent it: an operator can work with a whole
 * object, but if it did not see the object at all it might create it again or clean up after it.
 */
export type Transform<T extends KubernetesObject> = (object: T) => T;

/** Which objects of a kind to cache, and how. */
export interface CacheKindOptions<T extends KubernetesObject = KubernetesObject> {
  /**
   * Only objects in these namespaces: a fixed list, a `NamespaceList` that changes at run time, or those with certain
   * labels (`{ labelSelector: 'team=a' }`). Those of the cache by default. Ignored for cluster-scoped kinds.
   */
  namespaces?: NamespaceSelection | undefined;
  /** Only objects with these labels: as in `kubectl -l`, or as in the specs of Kubernetes objects; all by default. */
  labelSelector?: string | LabelSelector | undefined;
  /**
   * Only objects with these fields, as in `kubectl --field-selector`. With fields other than `metadata.name` and
   * `metadata.namespace`, own writes are visible only when the watch delivers them.
   */
  fieldSelector?: string | undefined;
  /** Applied to every object before it is kept; none by default. */
  transform?: Transform<T> | undefined;
  /**
   * The kind may not exist yet, for example because another product installs its CRD: startup does not wait for it, and
   * until it exists the cache has no objects of it. False by default.
   */
  optional?: boolean | undefined;
  /**
   * Reads the initial state as a stream of events instead of pages (WatchList, KEP-3157), which saves memory in the
   * server. If the server does not support that or does not finish within a minute, the state is listed. False by
   * default.
   */
  watchList?: boolean | undefined;
}

/** The options with selectors as text, which makes them comparable. */
type Settings<T extends KubernetesObject> = Omit<CacheKindOptions<T>, 'labelSelector'> & {
  labelSelector?: string;
};

/**
 * The combined options of all users of one informer. A user without an option accepts that of the others; users with
 * different options cannot share one informer.
 */
export class InformerSettings<T extends KubernetesObject> {
  #settings: Settings<T> = {};
  #isFixed = false;

  get current(): Readonly<Settings<T>> {
    return this.#settings;
  }

  /** From now on the informer runs, and its settings cannot change. */
  fix(): void {
    this.#isFixed = true;
  }

  /**
   * Adds the options of one more user.
   * @throws {UsageError} if they contradict those of others or of the running informer, or a namespace is invalid.
   *   {SelectorError} if a selector is invalid.
   */
  merge(kind: string, { labelSelector, ...options }: CacheKindOptions<T>): void {
    const asked: Settings<T> = { ...options };
    if (labelSelector !== undefined) asked.labelSelector = labelSelectorText(labelSelector);
    checkNamespaces(options.namespaces);
    if (options.fieldSelector !== undefined) fieldMatcher(options.fieldSelector);
    const merged: Record<string, unknown> = { ...this.#settings };
    for (const [name, value] of Object.entries(asked)) {
      if (value === undefined || textOf(merged[name]) === textOf(value)) continue;
      if (merged[name] !== undefined || this.#isFixed) throw conflict(kind, name, this.#isFixed);
      merged[name] = value;
    }
    this.#settings = merged;
  }
}

/** Equal for equal options; functions and lists that change are compared by identity. */
function textOf(value: unknown): unknown {
  if (Array.isArray(value)) return [...new Set<string>(value)].toSorted().join();
  if (isLabeled(value)) return `labels ${selectorTextOf(value)}`;
  return value === false || value === '' ? undefined : value;
}

function conflict(kind: string, option: string, isRunning: boolean): UsageError {
  return new UsageError(
    `${kind} is already cached with a different ${option}`,
    isRunning
      ? 'Declare it with cache.add before the manager starts and before others watch the kind.'
      : 'Give all users of the kind the same options: they share one watch and one copy of the objects.',
  );
}

/**
 * A transform for `cache.add` that drops `metadata.managedFields`. It pays off if many different programs write the
 * objects; what is equal in all objects is stored only once anyway. Note that `client.apply` compares with
 * managedFields to detect that nothing would change: without them in the cache, it sends every apply to the server.
 */
export function withoutManagedFields<T extends KubernetesObject>(object: T): T {
  // `delete` would make V8 keep the rest in a form that takes more memory than it saves.
  const { managedFields: _, ...metadata } = object.metadata;
  object.metadata = metadata;
  return object;
}
