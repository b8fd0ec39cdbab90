import type { Kind, KubernetesObject } from 'ots-kubernetes';
import type { Scale } from 'ots-kubernetes/autoscaling/v1';
import { toMilliseconds } from '../duration/to-milliseconds.ts';
import { ApiError } from '../errors/api-error.ts';
import { UsageError } from '../errors/usage-error.ts';
import type { ConnectionConfig } from '../kubeconfig/connection-config.ts';
import { RestMapper } from '../mapping/rest-mapper.ts';
import type { DeepReadonly } from '../objects/deep-readonly.ts';
import { type ObjectKey, keyText } from '../objects/object-key.ts';
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
  selectQuery,
} from './request-options.ts';
import { collectionPath, objectPath, requiredNamespace } from './resource-path.ts';
import { SubresourceClient } from './subresource-client.ts';

/** How a client behaves. */
export interface ClientOptions {
  /**
   * The owner of the fields of every write that names none (`fieldManager` of Kubernetes): a name of this operator
   * alone. By default that in the user agent of the transport; without one, `apply` insists on it.
   */
  fieldOwner?: string | undefined;
  /**
   * Where `get`, `list` and `items` read; told of every write, so that it can show it at once. On the server when
   * absent.
   */
  cache?: CachedReader | undefined;
  /** Told of kinds that turn out to be missing; one of its own by default. */
  mapper?: RestMapper | undefined;
}

/**
 * Reads and writes objects. Writes go to the API server; so do reads, unless the client was given a cache. Objects are
 * plain JSON: fields that a type does not know survive being read, changed and written back.
 *
 * Every method throws `ApiError` when the server refuses, `ConnectionError` when it does not answer, and `UsageError`
 * when a name or namespace is missing. Reads from a cache throw `KindNotCachedError` and `CacheSyncError` instead.
 *
 * A call that a reconciler makes ends with the run of the reconciler, and no write of it leaves when the process is
 * not the leader any more.
 */
export class Client extends ObjectWriter {
  /** The status of objects; writes to it ignore everything but `status`. */
  readonly status: Pick<SubresourceClient, 'get' | 'update' | 'patch' | 'apply'>;
  /** How many replicas a workload is to have, whatever its kind. */
  readonly scale: Pick<SubresourceClient<Scale>, 'get' | 'update' | 'patch'>;
  /** Finds kinds by their names. */
  readonly mapper: RestMapper;
  readonly #transport: Transport;
  readonly #ownsTransport: boolean;
  readonly #requests: ObjectRequests;
  readonly #reader: ObjectReader;

  /**
   * @param connection where the API server is, or a transport to share, which `close` then leaves open.
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
    this.#reader = cache ? new CacheReader(cache) : new LiveReader(requests);
  }

  /**
   * The object, or undefined when there is none of this name. From a cache it is shared; copy it (`structuredClone`)
   * to change it, or use `patch` with a function.
   * @throws {ApiError} `isKindMissing` when the server does not know the kind, as when its CRD is not installed.
   */
  get<T extends KubernetesObject>(
    kind: Kind<T>,
    key: ObjectKey,
    options: RequestOptions = {},
  ): Promise<DeepReadonly<T> | undefined> {
    return this.#reader.get(kind, key, options);
  }

  /**
   * The object, where there has to be one. As `get` otherwise.
   * @throws {ApiError} `isNotFound` when there is none of this name.
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
   * The objects of a kind, or one page of them when a `limit` is given; the items carry `apiVersion` and `kind`, which
   * the server leaves out of lists.
   * @throws {UsageError} when a cache is asked for what only a server can do, or a server for an index of a cache.
   */
  list<T extends KubernetesObject>(kind: Kind<T>, options: ListOptions = {}): Promise<ObjectList<T>> {
    return this.#reader.list(kind, options);
  }

  /**
   * Goes through the objects of a kind, however many there are: 500 are asked for at a time. They are the state of one
   * moment, as long as the server keeps that.
   * @throws {ApiError} `isExpired` when the loop took so long that the server does not know that moment any more.
   */
  items<T extends KubernetesObject>(
    kind: Kind<T>,
    options: ItemsOptions = {},
  ): AsyncIterable<DeepReadonly<T>> {
    return this.#reader.items(kind, options);
  }

  /**
   * Creates the object and returns it as the server stored it. With `metadata.generateName` instead of a name, the
   * server makes one.
   * @throws {ApiError} `isAlreadyExists` when there is one of this name.
   */
  async create<T extends KubernetesObject>(
    kind: Kind<T>,
    object: Writable<NoInfer<T>>,
    options: WriteOptions = {},
  ): Promise<T> {
    refusePartial(kind, 'created');
    const path = collectionPath(kind, requiredNamespace(kind, object.metadata.namespace));
    return this.#requests.write<T>(kind, { method: 'POST', path, body: object }, options);
  }

  /**
   * Asks for the deletion of the object; finalizers may delay it after this returns.
   * @throws {ApiError} `isNotFound` when there is no such object; `isConflict` when a precondition does not hold.
   */
  async delete<T extends KubernetesObject>(
    kind: Kind<T>,
    key: ObjectKey,
    options: DeleteOptions = {},
  ): Promise<void> {
    const path = objectPath(kind, key);
    await this.#requests.delete(kind, key, { method: 'DELETE', path, body: deleteBody(options) }, options);
  }

  /**
   * Asks for the deletion of all objects of a kind that the options select, with one request. Of a namespaced kind,
   * the namespace is required. A cache learns of it from its watch.
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
   * A subresource by its name. When it does not contain the object itself, say what it contains:
   * `client.subresource<Eviction>('eviction').create(Pod, key, eviction)`.
   */
  subresource<Body extends KubernetesObject = never>(name: string): SubresourceClient<Body> {
    return new SubresourceClient<Body>(this.#requests, name);
  }

  /**
   * Sends a request to any path, with the connection, the credentials and the retries of this client.
   * @throws {UsageError} when the path does not begin with a slash.
   */
  async raw<Answer = unknown>({ method = 'GET', timeout, ...request }: RawRequest): Promise<Answer> {
    if (!request.path.startsWith('/')) {
      throw new UsageError(`${JSON.stringify(request.path)} is no path`, "Begin it with '/', as '/version'.");
    }
    return this.#transport.request<Answer>({
      ...request,
      method,
      timeout: timeout === undefined ? undefined : toMilliseconds(timeout),
    });
  }

  /** Closes the connections. Requests under way fail. */
  async close(): Promise<void> {
    if (this.#ownsTransport) await this.#transport.close();
  }

  /** As `close`, for `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
