import type { KubernetesObject } from 'ots-kubernetes';
import { UsageError } from '../errors/usage-error.ts';
import { fieldMatcher } from '../selectors/field-matcher.ts';
import type { LabelSelector } from '../selectors/label-selector.ts';
import { labelSelectorText } from '../selectors/label-selector-text.ts';
import { checkNamespaces } from './check-namespaces.ts';

/**
 * Changes every object before it is cached, to keep less of it: drop a large field, or `withoutManagedFields`. It may
 * change the object that it is given. It must be idempotent, and must leave apiVersion, kind, and the name, namespace,
 * uid, resourceVersion and labels alone.
 *
 * What it drops is missing from every object that is read, which its type does not tell: an update with one removes it
 * from the server. Patch such kinds; or use `projectionOf`, with which that does not compile.
 *
 * When it throws, that is logged and the object is cached as the server sent it: an operator that sees an object
 * whole works, one that does not see it at all may create it again or clean up after it.
 */
export type Transform<T extends KubernetesObject> = (object: T) => T;

/** Which objects of a kind to cache, and how. */
export interface CacheKindOptions<T extends KubernetesObject = KubernetesObject> {
  /** Only objects in these namespaces; those of the cache by default. Ignored for cluster-scoped kinds. */
  namespaces?: readonly string[] | undefined;
  /** Only objects with these labels: as in `kubectl -l`, or as in the specs of Kubernetes objects; all by default. */
  labelSelector?: string | LabelSelector | undefined;
  /**
   * Only objects with these fields, as in `kubectl --field-selector`. With others than `metadata.name` and
   * `metadata.namespace` own writes are seen only when the watch brings them.
   */
  fieldSelector?: string | undefined;
  /** Applied to every object before it is kept; none by default. */
  transform?: Transform<T> | undefined;
  /**
   * The kind may not exist yet, as a CRD that others install: starting does not wait for it, and until it is there
   * the cache holds no objects of it. False by default.
   */
  optional?: boolean | undefined;
  /**
   * Gets the first state as a stream of events instead of pages (WatchList, KEP-3157), which spares memory of the
   * server. Where the server cannot, or does not finish within a minute, it is listed. False by default.
   */
  watchList?: boolean | undefined;
}

/** The options with selectors as text, so that equal ones are equal. */
type Settings<T extends KubernetesObject> = Omit<CacheKindOptions<T>, 'labelSelector'> & {
  labelSelector?: string;
};

/**
 * What the users of one informer ask for together. Whoever asks for nothing accepts what others ask for; two who ask
 * for different things cannot both be served by one informer.
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
   * Takes what one more user asks for.
   * @throws {UsageError} when it contradicts the others, or what the informer runs with already, or its namespaces
   *   cannot be. {SelectorError} when a selector is wrong.
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

/** Equal for equal options; functions are compared by identity. */
function textOf(value: unknown): unknown {
  if (Array.isArray(value)) return [...new Set<string>(value)].toSorted().join();
  return value === false || value === '' ? undefined : value;
}

function conflict(kind: string, option: string, isRunning: boolean): UsageError {
  return new UsageError(
    `${kind} is cached with another ${option} already`,
    isRunning
      ? 'Declare it with cache.add before the manager starts and before others watch the kind.'
      : 'Give all users of the kind the same options: they share one watch and one copy of the objects.',
  );
}

/**
 * A transform for `cache.add` that drops `metadata.managedFields`. It pays where objects are written by many different
 * programs; what is the same in all objects takes room only once anyway. Note that `client.apply` compares with
 * managedFields to find out that there is nothing to do: without them in the cache it sends every apply to the server.
 */
export function withoutManagedFields<T extends KubernetesObject>(object: T): T {
  // Not `delete`, which makes V8 keep what is left in a form that takes more room than it saved.
  const { managedFields: _, ...metadata } = object.metadata;
  object.metadata = metadata;
  return object;
}
