import type { Kind, KubernetesObject } from 'ots-kubernetes';
import type { RequestOptions } from '../client/request-options.ts';
import { UsageError } from '../errors/usage-error.ts';
import type { DeepReadonly } from '../objects/deep-readonly.ts';
import { FinalizerError } from './finalizer-error.ts';
import { hasFinalizer } from './finalizers.ts';
import { type FinalizerClient, dropFinalizer, ensureFinalizer } from './patch-finalizer.ts';

/**
 * Cleans up what garbage collection does not delete with the object. It runs again until it succeeds, so it must be
 * idempotent. Its finalizer is removed only after it has returned.
 */
export type CleanupFunction<T extends KubernetesObject> = (
  object: DeepReadonly<T>,
  options: RequestOptions,
) => Promise<void> | void;

/**
 * The finalizers of a controller, with what to do for each when an object is deleted:
 * ```ts
 * const finalizers = new FinalizerRegistry(client, Bucket).register('example.com/bucket', removeBucket);
 * const alive = await finalizers.finalize(bucket, context);
 * if (!alive) return;
 * ```
 */
export class FinalizerRegistry<T extends KubernetesObject> {
  readonly #client: FinalizerClient;
  readonly #kind: Kind<T>;
  readonly #cleanups = new Map<string, CleanupFunction<T>>();

  /** @param client patches the objects: `manager.client`. */
  constructor(client: FinalizerClient, kind: Kind<T>) {
    this.#client = client;
    this.#kind = kind;
  }

  /**
   * Adds a finalizer. Returns the registry, so that calls can be chained.
   * @param finalizer a name with a domain, such as `example.com/bucket`.
   * @throws {UsageError} when it is registered already.
   */
  register(finalizer: string, cleanup: CleanupFunction<T>): this {
    if (this.#cleanups.has(finalizer)) {
      throw new UsageError(`The finalizer ${finalizer} is registered twice`, 'Register each name once.');
    }
    this.#cleanups.set(finalizer, cleanup);
    return this;
  }

  /**
   * For an object that is alive, adds the finalizers that it lacks. For one that is being deleted, runs the cleanups
   * whose finalizers it has, one after another in the order of registration, and removes each finalizer whose cleanup
   * succeeded. One that fails does not stop the others.
   * @returns the object with all finalizers when it is alive; undefined when it is being deleted or gone.
   * @throws {FinalizerError} when cleanups failed; what `ensureFinalizer` throws.
   */
  async finalize(
    object: DeepReadonly<T>,
    { signal }: RequestOptions = {},
  ): Promise<DeepReadonly<T> | undefined> {
    if (object.metadata.deletionTimestamp) {
      await this.#cleanUp(object, { signal });
      return undefined;
    }
    let current = object;
    for (const finalizer of this.#cleanups.keys()) {
      current = await ensureFinalizer(this.#client, this.#kind, current, finalizer, { signal });
    }
    return current;
  }

  async #cleanUp(object: DeepReadonly<T>, options: RequestOptions): Promise<void> {
    const errors = new Map<string, unknown>();
    let current: DeepReadonly<T> | undefined = object;
    for (const [finalizer, cleanup] of this.#cleanups) {
      if (!current) break;
      if (!hasFinalizer(current, finalizer)) continue;
      try {
        await cleanup(current, options);
        current = await dropFinalizer(this.#client, this.#kind, current, finalizer, options);
      } catch (error) {
        errors.set(finalizer, error);
      }
    }
    if (errors.size > 0) throw new FinalizerError(errors);
  }
}
