import type { Kind, KubernetesObject } from 'ots-kubernetes';
import { isExpired, isNotFound } from '../errors/api-error.ts';
import { UsageError } from '../errors/usage-error.ts';
import type { DeepReadonly } from '../objects/deep-readonly.ts';
import type { ObjectKey } from '../objects/object-key.ts';
import { projectorOf } from '../objects/projector.ts';
import { acceptList } from './accept.ts';
import { asKind, metadataAsKind } from './as-kind.ts';
import type { ObjectList, ObjectReader } from './object-reader.ts';
import type { ObjectRequests } from './object-requests.ts';
import { type ItemsOptions, type ListOptions, type RequestOptions, selectQuery } from './request-options.ts';
import { collectionPath, objectPath } from './resource-path.ts';

/** The page size of client-go's reflectors: few requests, and little of a large list in memory. */
const pageSize = 500;
/** How often a list that has not yielded anything yet is restarted. */
const restarts = 3;

interface Page<T> {
  /** Some extension servers write null for an empty list. */
  items: T[] | null;
  metadata: ObjectList<T>['metadata'];
}

/** Reads from the server. */
export class LiveReader implements ObjectReader {
  readonly #requests: ObjectRequests;

  constructor(requests: ObjectRequests) {
    this.#requests = requests;
  }

  async get<T extends KubernetesObject>(
    kind: Kind<T>,
    key: ObjectKey,
    options: RequestOptions,
  ): Promise<DeepReadonly<T> | undefined> {
    const path = objectPath(kind, key);
    try {
      const object = await this.#requests.send<T>(kind, { method: 'GET', path }, options);
      return projectorOf(kind)(metadataAsKind(kind, object)) as DeepReadonly<T>;
    } catch (error) {
      // A 404 that does not come from the API, or for a kind that is not installed, says nothing about the object:
      // treating it as deleted could clean up something in use.
      if (isNotFound(error) && !error.foreign) return undefined;
      throw error;
    }
  }

  async list<T extends KubernetesObject>(kind: Kind<T>, options: ListOptions): Promise<ObjectList<T>> {
    if (options.index !== undefined) {
      throw new UsageError(
        'The API server cannot list by an index of the cache',
        'Read with manager.client, or select by labels or fields.',
      );
    }
    const { namespace, limit, continue: token, ...rest } = options;
    const request = {
      method: 'GET',
      path: collectionPath(kind, namespace),
      query: { ...selectQuery(rest), limit, continue: token },
      accept: acceptList(kind),
    } as const;
    const { items, metadata } = await this.#requests.send<Page<T>>(kind, request, rest);
    const project = projectorOf(kind);
    return { items: (items ?? []).map((item) => project(asKind(kind, item)) as DeepReadonly<T>), metadata };
  }

  async *items<T extends KubernetesObject>(
    kind: Kind<T>,
    options: ItemsOptions,
  ): AsyncGenerator<DeepReadonly<T>> {
    let token: string | undefined;
    let yielded = false;
    for (let restarted = 0; ;) {
      try {
        const { items, metadata } = await this.list(kind, { ...options, limit: pageSize, continue: token });
        token = metadata.continue;
        yielded ||= items.length > 0;
        yield* items;
        if (!token) return;
      } catch (error) {
        // After items were yielded, a new list would repeat some and hide that others were deleted in between.
        if (!isExpired(error) || token === undefined || yielded || restarted >= restarts) throw error;
        restarted += 1;
        token = undefined;
      }
    }
  }
}
