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
import { isKindMissing, isNotFound } from '../errors/api-error.ts';
import { metadataAsKind } from './as-kind.ts';
import type { CachedReader } from './cached-reader.ts';
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
  /** The owner of fields for writes that name none. */
  fieldOwner: string | undefined;
}

/** Sends requests about objects and keeps the cache and the mapper up to date with the answers. */
export class ObjectRequests {
  readonly cache: CachedReader | undefined;
  readonly #options: ObjectRequestsOptions;

  constructor(options: ObjectRequestsOptions) {
    this.#options = options;
    this.cache = options.cache;
  }

  /**
   * Whose fields an apply is about.
   * @throws {UsageError} when nobody said: a name that all programs have by default would make them take the fields of
   *   each other for their own, and remove them.
   */
  ownerOf({ fieldOwner }: WriteOptions): string {
    const owner = fieldOwner ?? this.#options.fieldOwner ?? this.#options.transport.program;
    if (owner !== undefined) return owner;
    throw new UsageError(
      'an apply needs the name of the field owner',
      'Give fieldOwner to the call or to the client, or a userAgent to the transport: a name of your operator alone.',
    );
  }

  /**
   * Sends a request, and tells the cache nothing of it. The mapper learns when the kind turns out to be missing.
   * @throws {NoSubresourceError} when the kind does not have the subresource.
   */
  async send<Answer>(
    kind: Kind,
    request: ObjectRequest,
    { signal, timeout }: RequestOptions,
  ): Promise<Answer> {
    const { subresource, accept, ...rest } = request;
    const resource = kind.group === '' ? kind.plural : `${kind.plural}.${kind.group}`;
    try {
      return await this.#options.transport.request<Answer>({
        ...rest,
        accept: accept ?? acceptObject(kind, subresource),
        resource: subresource ? `${resource}/${subresource}` : resource,
        signal,
        timeout: timeout === undefined ? undefined : toMilliseconds(timeout),
      });
    } catch (error) {
      if (!isNotFound(error)) throw error;
      const { mapper } = this.#options;
      // The answer names the object, as if that were gone, or nothing; discovery knows better.
      if (subresource && (await mapper.lacksSubresource(kind, subresource, { signal }))) {
        throw new NoSubresourceError(kind, subresource);
      }
      if (isKindMissing(error) && !subresource) mapper.evict(kind);
      throw error;
    }
  }

  /** Sends a request that changes objects, and tells the cache of the result unless it is a dry run. */
  async write<Answer extends KubernetesObject>(
    kind: Kind,
    request: ObjectRequest,
    options: WriteOptions,
  ): Promise<Answer> {
    const { dryRun, fieldOwner = this.#options.fieldOwner, fieldValidation } = options;
    const query = {
      dryRun: dryRun ? 'All' : undefined,
      fieldManager: fieldOwner,
      fieldValidation,
      ...request.query,
    };
    const answer = metadataAsKind(kind, await this.send<Answer>(kind, { ...request, query }, options));
    if (!dryRun) {
      this.#tell(kind, answer);
      currentWork()?.wrote?.(kind, request.subresource, answer);
    }
    return isOf(kind, answer) ? projectorOf(kind)(answer) : answer;
  }

  /** Asks for the deletion of one object, and tells the cache what became of it unless it is a dry run. */
  async delete(
    kind: Kind,
    key: ObjectKey,
    request: ObjectRequest,
    options: RequestOptions & { dryRun?: boolean | undefined },
  ): Promise<void> {
    const answer = metadataAsKind(kind, await this.send<KubernetesObject>(kind, request, options));
    if (options.dryRun) return;
    if (answer.kind === 'Status') {
      this.cache?.removed(kind, key, (answer as { details?: { uid?: string } }).details?.uid);
    } else {
      this.#tell(kind, answer, !isHeldBack(answer));
    }
  }

  /** Not every answer is the object: that to an eviction is a Status, and that of `scale` is a Scale. */
  #tell(kind: Kind, answer: KubernetesObject, gone = false): void {
    const { cache } = this;
    const { name, namespace, uid } = answer.metadata ?? {};
    if (!cache || !isOf(kind, answer) || !name || !uid) return;
    // The update that takes the last finalizer away is answered with the object, which is gone.
    const ended = answer.metadata.deletionTimestamp !== undefined && !isHeldBack(answer);
    if (gone || ended) cache.removed(kind, { name, namespace }, uid);
    else cache.wrote(kind, answer);
  }
}

/** True when the answer is an object of the kind, of which a cache may know. */
function isOf(kind: Kind, { apiVersion, kind: name }: KubernetesObject): boolean {
  return apiVersion === kind.apiVersion && name === kind.kind;
}

/**
 * True when an object that is to be deleted is still there, waiting for finalizers or for a pod to end. A namespace has
 * finalizers of another kind (`spec.finalizers`), and stays until all in it is gone.
 */
function isHeldBack({ apiVersion, kind, metadata }: KubernetesObject): boolean {
  if (apiVersion === 'v1' && kind === 'Namespace') return true;
  const { finalizers = [], deletionGracePeriodSeconds = 0 } = metadata ?? {};
  return finalizers.length > 0 || deletionGracePeriodSeconds > 0;
}
