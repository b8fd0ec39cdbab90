import type { Kind, KubernetesObject } from 'ots-kubernetes';
import { currentWork } from '../context/work-context.ts';
import { toMilliseconds } from '../duration/to-milliseconds.ts';
import { UsageError } from '../errors/usage-error.ts';
import { NoSubresourceError } from '../mapping/mapping-errors.ts';
import type { RestMapper } from '../mapping/rest-mapper.ts';
import type { ObjectKey } from '../objects/object-key.ts';
import { projectorOf } from '../objects/projector.ts';
import type { Transport } from '../transport/transport.ts';
import type { TransportRequest } from '../transport/transport-request.ts';
import { acceptObject } from './accept.ts';
import { isConflict, isKindMissing, isNotFound } from '../errors/api-error.ts';
import { metadataAsKind } from './as-kind.ts';
import type { CachedReader, WriteBase } from './cached-reader.ts';
import type { RequestOptions, WriteOptions } from './request-options.ts';

/** One request about objects of a kind. */
export type ObjectRequest = Pick<
  TransportRequest,
  'method' | 'path' | 'query' | 'body' | 'contentType' | 'accept'
> & { subresource?: string | undefined };

export interface ObjectRequestsOptions {
  transport: Transport;
  cache: CachedReader | undefined;
  mapper: RestMapper;
  /** The field owner of writes that do not name one. */
  fieldOwner: string | undefined;
}

/** Sends requests about objects and updates the cache and the mapper with the responses. */
export class ObjectRequests {
  readonly cache: CachedReader | undefined;
  readonly #options: ObjectRequestsOptions;

  constructor(options: ObjectRequestsOptions) {
    this.#options = options;
    this.cache = options.cache;
  }

  /**
   * The field owner of an apply.
   * @throws {UsageError} if none was given: with a common default name, programs would treat each other's fields as
   *   their own and remove them.
   */
  ownerOf({ fieldOwner }: WriteOptions): string {
    const owner = fieldOwner ?? this.#options.fieldOwner ?? this.#options.transport.program;
    if (owner !== undefined) return owner;
    throw new UsageError(
      'An apply needs a field owner',
      'Pass fieldOwner to the call or the client, or userAgent to the transport: a name unique to your operator.',
    );
  }

  /**
   * Sends a request without updating the cache. The mapper learns if the kind turns out to be missing.
   * @throws {NoSubresourceError} if the kind does not have the subresource.
   */
  async send<T>(kind: Kind, request: ObjectRequest, { signal, timeout }: RequestOptions): Promise<T> {
    const { subresource, accept, ...rest } = request;
    const resource = kind.group === '' ? kind.plural : `${kind.plural}.${kind.group}`;
    try {
      return await this.#options.transport.request<T>({
        ...rest,
        accept: accept ?? acceptObject(kind, subresource),
        resource: subresource ? `${resource}/${subresource}` : resource,
        signal,
        timeout: timeout === undefined ? undefined : toMilliseconds(timeout),
      });
    } catch (error) {
      if (!isNotFound(error)) throw error;
      const { mapper } = this.#options;
      // The response names the object, as if it did not exist, or nothing; discovery knows the cause.
      if (subresource && (await mapper.lacksSubresource(kind, subresource, { signal }))) {
        throw new NoSubresourceError(kind, subresource);
      }
      if (isKindMissing(error) && !subresource) mapper.evict(kind);
      throw error;
    }
  }

  /** Sends a request that changes objects, and updates the cache with the result unless it is a dry run. */
  async write<T extends KubernetesObject>(
    kind: Kind,
    request: ObjectRequest,
    options: WriteOptions,
  ): Promise<T> {
    const { dryRun, fieldOwner = this.#options.fieldOwner, fieldValidation } = options;
    const query = {
      dryRun: dryRun ? 'All' : undefined,
      fieldManager: fieldOwner,
      fieldValidation,
      ...request.query,
    };
    const response = metadataAsKind(kind, await this.send<T>(kind, { ...request, query }, options));
    if (!dryRun) {
      this.#tell(kind, response);
      currentWork()?.wrote?.(kind, request.subresource, response);
    }
    return isOf(kind, response) ? projectorOf(kind)(response) : response;
  }

  /**
   * Tells the work whose write is refused when it can know better.
   * @param base what the writer knew of the object
   */
  async overtakable<T>(kind: Kind, key: ObjectKey, base: WriteBase, written: Promise<T>): Promise<T> {
    try {
      return await written;
    } catch (error) {
      if (isConflict(error) || isNotFound(error))
        currentWork()?.overtaken?.((listener) => this.cache?.onNews?.(kind, key, base, listener));
      throw error;
    }
  }

  /** Deletes one object, and updates the cache unless it is a dry run. */
  async delete(
    kind: Kind,
    key: ObjectKey,
    request: ObjectRequest,
    options: RequestOptions & { dryRun?: boolean | undefined },
  ): Promise<void> {
    const response = metadataAsKind(kind, await this.send<KubernetesObject>(kind, request, options));
    if (options.dryRun) return;
    if (response.kind === 'Status') {
      this.cache?.removed(kind, key, (response as { details?: { uid?: string } }).details?.uid);
    } else {
      this.#tell(kind, response, !isHeldBack(response));
    }
  }

  /** Not every response is the object: for an eviction it is a Status, for `scale` a Scale. */
  #tell(kind: Kind, response: KubernetesObject, gone = false): void {
    const { cache } = this;
    const { name, namespace, uid } = response.metadata ?? {};
    if (!cache || !isOf(kind, response) || !name || !uid) return;
    // The response to the update that removes the last finalizer contains the object, although it is deleted.
    const ended = response.metadata.deletionTimestamp !== undefined && !isHeldBack(response);
    if (gone || ended) cache.removed(kind, { name, namespace }, uid);
    else cache.wrote(kind, response);
  }
}

/** True if the response is an object of the kind, which a cache may have. */
function isOf(kind: Kind, { apiVersion, kind: name }: KubernetesObject): boolean {
  return apiVersion === kind.apiVersion && name === kind.kind;
}

/**
 * True if an object that is being deleted still exists and waits for finalizers or for a pod to stop. A namespace has
 * its own finalizers (`spec.finalizers`) and stays until everything in it is deleted.
 */
function isHeldBack({ apiVersion, kind, metadata }: KubernetesObject): boolean {
  if (apiVersion === 'v1' && kind === 'Namespace') return true;
  const { finalizers = [], deletionGracePeriodSeconds = 0 } = metadata ?? {};
  return finalizers.length > 0 || deletionGracePeriodSeconds > 0;
}
