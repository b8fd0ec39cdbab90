import { isOlder } from '../cache/resource-version.ts';
import { isKindMissing } from '../errors/api-error.ts';
import type { DeepReadonly } from '../objects/deep-readonly.ts';
import type { MetadataObject } from '../objects/metadata-of.ts';
import { FailedObjects } from './failed-objects.ts';
import { type ListedPage, pagesOf, servedKinds } from './list-objects.ts';
import type { MigrationTools } from './migration-tools.ts';
import { type RewriteTarget, isOfObject, rewriteObject } from './rewrite-object.ts';
import type { StorageState } from './storage-state.ts';

/** How far the rewriting is; see `StorageMigrationProgress`. */
export interface RewriteProgress {
  readonly done: number;
  readonly failed: number;
  readonly remaining?: number;
}

/** How to rewrite the objects of a CRD. */
export interface RewriteOptions {
  /** The resource version since which objects are stored in the storage version. */
  readonly start: string;
  readonly pageSize: number;
  /** Whether the CRD still has the spec that the rewriting is for. */
  readonly isCurrent: () => Promise<boolean>;
  /** Called for each object that is rewritten. */
  readonly rewritten: () => void;
  /** Called after each object. */
  readonly tell: (progress: RewriteProgress) => void;
}

/**
 * Rewrites the objects of a CRD that were last written before `start`. An object that fails does not stop it.
 * @returns false if the CRD has changed meanwhile.
 * @throws {StorageMigrationError} in the end, if objects could not be rewritten; what requests fail with otherwise.
 */
export async function rewriteAll(
  tools: MigrationTools,
  state: StorageState,
  options: RewriteOptions,
): Promise<boolean> {
  const { isCurrent } = options;
  try {
    let listing = new Listing(tools, state, options);
    for await (const page of pagesOf(tools, state, options.pageSize)) {
      if (page.isFirst) listing = new Listing(tools, state, options);
      await listing.rewrite(page);
      if (page.metadata.continue !== undefined && !(await isCurrent())) return false;
    }
    listing.failed.throwIfAny();
    return true;
  } catch (error) {
    if (isKindMissing(error) && !(await isCurrent())) return false;
    throw error;
  }
}

/** One pass over all objects. */
class Listing {
  readonly failed: FailedObjects;
  readonly #tools: MigrationTools;
  readonly #target: RewriteTarget;
  readonly #options: RewriteOptions;
  #done = 0;

  constructor(tools: MigrationTools, state: StorageState, options: RewriteOptions) {
    const { definition, storageVersion, movesFields } = state;
    const { start } = options;
    const [kind] = servedKinds(state);
    this.failed = new FailedObjects(state);
    this.#tools = tools;
    this.#target = {
      kind,
      moveManagersTo: movesFields ? undefined : `${definition.spec.group}/${storageVersion}`,
      isDone: ({ metadata }) => isOlder(start, metadata.resourceVersion ?? ''),
    };
    this.#options = options;
  }

  async rewrite({ items, metadata }: ListedPage): Promise<void> {
    const following = metadata.continue === undefined ? 0 : metadata.remainingItemCount;
    for (const [index, object] of items.entries()) {
      if (await this.#isDone(object)) this.#done += 1;
      const remaining = following === undefined ? {} : { remaining: following + items.length - index - 1 };
      this.#options.tell({ done: this.#done, failed: this.failed.count, ...remaining });
    }
  }

  async #isDone(object: DeepReadonly<MetadataObject>): Promise<boolean> {
    if (this.#target.isDone(object)) return true;
    try {
      if (await rewriteObject(this.#tools, this.#target, object)) this.#options.rewritten();
      this.failed.succeeded();
      return true;
    } catch (error) {
      if (!isOfObject(error)) throw error;
      this.failed.add(object, error);
      return false;
    }
  }
}
