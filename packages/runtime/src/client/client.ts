import type { Kind, KubernetesObject } from 'ots-kubernetes';
import type { Scale } from 'ots-kubernetes/autoscaling/v1';
import { toMilliseconds } from '../duration/to-milliseconds.ts';
import { ApiError } from '../errors/api-error.ts';
import { UsageError } from '../errors/usage-error.ts';
import type { ConnectionConfig } from '../kubeconfig/connection-config.ts';
import { RestMapper } from '../mapping/rest-mapper.ts';
import type { DeepReadonly } from '../objects/deep-readonly.ts';
import { type ObjectKey, keyOf, keyText } from '../objects/object-key.ts';
import { Transport } from '../transport/transport.ts';
import { acceptDeleted } from './accept.ts';
import { CacheReader } from './cache-reader.ts';
import type { CachedReader } from './cached-reader.ts';
import type { Writable } from './content.ts';
import { LiveReader } from './live-reader.ts';
import type { ObjectList, ObjectReader } from './object-reader.ts';
import { ObjectRequests } from './object-requests.ts';
import { ObjectWriter, refusePartial } from './object-writer.ts';
import {
  type DeleteCollectionOptions,
  type DeleteOptions,
  type ItemsOptions,
  type ListOptions,
  type RawRequest,
  type RequestOptions,
  type WriteOptions,
  deleteBody,
  preconditionsOf,
  selectQuery,
} from './request-options.ts';
import { collectionPath, objectPath, requiredNamespace } from './resource-path.ts';
import { SubresourceClient } from './subresource-client.ts';

/** How a client behaves. */
export interface ClientOptions {
  /**
   * The default field owner of writes (`fieldManager` in Kubernetes): a name unique to this operator. By default the
   * name in the user agent of the transport; without either, `apply` requires it.
   */
  fieldOwner?: string | undefined;
  /**
   * Where `get`, `list` and `items` read; it receives every write to show it at once. Without a cache, they read from
   * the server.
   */
  cache?: CachedReader | undefined;
  /** Learns of kinds that turn out to be missing; a new one by default. */
  mapper?: RestMapper | undefined;
}

/**
 * Reads and writes objects. Writes go to the API server, and so do reads unless the client has a cache. Objects are
 * plain JSON: fields that a type does not know survive a read, a change and a write.
 *
 * Every method throws `ApiError` when the server refuses, `ConnectionError` when it does not respond, and `UsageError`
 * when a name or namespace is missing. Reads from a cache throw `KindNotCachedError` and `CacheSyncError` instead.
 *
 * A call by a reconciler ends with its reconcile, and no write is sent when the process is no longer the leader.
 */
export class Client extends ObjectWriter {
  /** The status of objects; writes to it ignore everything but `status`. */
  readonly status: Pick<SubresourceClient, 'get' | 'update' | 'patch' | 'apply'>;
  /** The number of replicas of a workload, whatever its kind. */
  readonly scale: Pick<SubresourceClient<Scale>, 'get' | 'update' | 'patch'>;
  /** Finds kinds by their names. */
  readonly mapper: RestMapper;
  readonly #transport: Transport;
  readonly #ownsTransport: boolean;
  readonly #requests: ObjectRequests;
  readonly #reader: ObjectReader;

  /**
   * @param connection the connection to the API server, or a shared transport, which `close` then leaves open.
   * @throws {ConnectionConfigError} when the server's URL is not one.
   */
  constructor(connection: ConnectionConfig | Transport, options: ClientOptions = {}) {
    const { cache, fieldOwner } = options;
    const transport = connection instanceof Transport ? connection : new Transport(connection);
    const mapper = options.mapper ?? new RestMapper(transport);
    const requests = new ObjectRequests({ transport, cache, mapper, fieldOwner });
    super(requests, undefined);
    this.mapper = mapper;
    this.status = new SubresourceClient(requests, 'status');
    this.scale = new SubresourceClient<Scale>(requests, 'scale');
    this.#transport = transport;
    this.#ownsTransport = transport !== connection;
    this.#requests = requests;
    const live = new LiveReader(requests);
    this.#reader = cache ? new CacheReader(cache, live) : live;
  }

  /**
   * The object, or undefined if it does not exist. An object from a cache is shared; copy it (`structuredClone`) to
   * change it, or use `patch` with a function.
   * @throws {ApiError} `isKindMissing` if the server does not know the kind, for example because its CRD is not
   *   installed.
   */
  get<T extends KubernetesObject>(
    kind: Kind<T>,
    key: ObjectKey,
    options: RequestOptions = {},
  ): Promise<DeepReadonly<T> | undefined> {
    return this.#reader.get(kind, key, options);
  }

  /**
   * The object, which must exist. Otherwise like `get`.
   * @throws {ApiError} `isNotFound` if it does not exist.
   */
  async getOrThrow<T extends KubernetesObject>(
    kind: Kind<T>,
    key: ObjectKey,
    options: RequestOptions = {},
  ): Promise<DeepReadonly<T>> {
    const object = await this.get(kind, key, options);
    if (object) return object;
    const { plural, group } = kind;
    throw new ApiError({
      code: 404,
      reason: 'NotFound',
      message: `${group === '' ? plural : `${plural}.${group}`} "${keyText(key)}" not found`,
      details: { name: key.name, group, kind: plural },
    });
  }

  /**
   * The objects of a kind, or one page of them if a `limit` is given. The items have `apiVersion` and `kind`, which the
   * server omits from lists.
   * @throws {UsageError} if the cache does not support an option, or the server is asked to list by an index of a
   *   cache.
   */
  list<T extends KubernetesObject>(kind: Kind<T>, options: ListOptions = {}): Promise<ObjectList<T>> {
    return this.#reader.list(kind, options);
  }

  /**
   * Iterates over the objects of a kind, 500 per request. They are a consistent snapshot, as long as the server keeps
   * it.
   * @throws {ApiError} `isExpired` if the loop took so long that the server has dropped the snapshot.
   */
  items<T extends KubernetesObject>(
    kind: Kind<T>,
    options: ItemsOptions = {},
  ): AsyncIterable<DeepReadonly<T>> {
    return this.#reader.items(kind, options);
  }

  /**
   * Creates the object and returns it as the server stored it. With `metadata.generateName` instead of a name, the
   * server generates one.
   * @throws {ApiError} `isAlreadyExists` if an object of this name exists.
   */
  async create<T extends KubernetesObject>(
    kind: Kind<T>,
    object: Writable<NoInfer<T>>,
    options: WriteOptions = {},
  ): Promise<T> {
    refusePartial(kind, 'created');
    const path = collectionPath(kind, requiredNamespace(kind, object.metadata.namespace));
    return await this.#requests.write<T>(kind, { method: 'POST', path, body: object }, options);
  }

  /**
   * Deletes an object; finalizers may delay the deletion after this returns.
   * @param target the object that was read, or a key. An object is deleted only if it still has the uid that was read: another one that was
   *   created later under its name stays. A key deletes whatever has the name.
   * @throws {ApiError} `isNotFound` if the object does not exist; `isConflict` if it has another uid, or a precondition does not hold.
   * @throws {UsageError} if an object has no uid, or a key is used with `optimisticLock`.
   */
  async delete<T extends KubernetesObject>(
    kind: Kind<T>,
    target: ObjectKey | Writable<NoInfer<T>>,
    options: DeleteOptions = {},
  ): Promise<void> {
    const key = 'metadata' in target ? keyOf(target) : target;
    const preconditions = preconditionsOf(target, options);
    const body = deleteBody({ ...options, preconditions });
    const request = { method: 'DELETE', path: objectPath(kind, key), body } as const;
    const deleted = this.#requests.delete(kind, key, request, options);
    await this.#requests.overtakable(kind, key, preconditions ?? {}, deleted);
  }

  /**
   * Deletes all objects of a kind that the options select, with one request. A namespaced kind requires a namespace. A
   * cache learns of the deletions from its watch.
   */
  async deleteCollection<T extends KubernetesObject>(
    kind: Kind<T>,
    options: DeleteCollectionOptions = {},
  ): Promise<void> {
    const path = collectionPath(kind, requiredNamespace(kind, options.namespace));
    const request = {
      method: 'DELETE',
      path,
      query: selectQuery(options),
      body: deleteBody(options),
      accept: acceptDeleted,
    } as const;
    await this.#requests.send(kind, request, options);
  }

  /**
   * A subresource by its name. If it does not contain the object itself, name its type:
   * `client.subresource<Eviction>('eviction').create(Pod, key, eviction)`.
   */
  subresource<Body extends KubernetesObject = never>(name: string): SubresourceClient<Body> {
    return new SubresourceClient<Body>(this.#requests, name);
  }

  /**
   * Sends a request to any path, with the connection, the credentials and the retries of this client.
   * @throws {UsageError} if the path does not start with a slash.
   */
  async raw<T = unknown>({ method = 'GET', timeout, ...request }: RawRequest): Promise<T> {
    if (!request.path.startsWith('/')) {
      throw new UsageError(
        `${JSON.stringify(request.path)} is not a path`,
        "Start it with '/', as in '/version'.",
      );
    }
    return await this.#transport.request<T>({
      ...request,
      method,
      timeout: timeout === undefined ? undefined : toMilliseconds(timeout),
    });
  }

  /** Closes the connections. Requests in progress fail. */
  async close(): Promise<void> {
    if (this.#ownsTransport) await this.#transport.close();
  }

  /** As `close`, for `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
