import type { Kind, KubernetesObject } from 'ots-kubernetes';
import type { ConnectionConfig } from '../kubeconfig/connection-config.ts';
import type { DeepReadonly } from '../objects/deep-readonly.ts';
import type { ObjectKey } from '../objects/object-key.ts';
import type { JsonPatchOperation, MergePatch } from '../objects/patches.ts';
import { type Query, Transport, type TransportRequest } from '../transport/transport.ts';
import { isNotFound } from './api-error.ts';
import { collectionPath, objectPath, requiredNamespace } from './resource-path.ts';

export interface ClientOptions {
  /** The field manager of every write; the server derives it from the user agent when absent. */
  fieldManager?: string | undefined;
}

export interface RequestOptions {
  /** Gives the request up when it aborts; the call rejects with its reason. */
  signal?: AbortSignal | undefined;
}

export interface ListOptions extends RequestOptions {
  /** All namespaces when absent. */
  namespace?: string | undefined;
  /** As in `kubectl -l`, for example `app=web,tier!=cache`. */
  labelSelector?: string | undefined;
  /** As in `kubectl --field-selector`. */
  fieldSelector?: string | undefined;
  /** At most this many items; `metadata.continue` of the result goes on from there. */
  limit?: number | undefined;
  continue?: string | undefined;
}

export interface ObjectList<T> {
  items: T[];
  metadata: { resourceVersion?: string; continue?: string; remainingItemCount?: number };
}

export interface DeleteOptions extends RequestOptions {
  /** Delete only this incarnation or this version; a conflict otherwise. */
  preconditions?: { uid?: string | undefined; resourceVersion?: string };
  /** What becomes of the objects that it owns; the server's default for the kind when absent. */
  propagationPolicy?: 'Orphan' | 'Background' | 'Foreground' | undefined;
}

type Writable<T> = NoInfer<T> | DeepReadonly<NoInfer<T>>;

/** Writes to the status subresource of objects, which ignores everything but `status`. */
export interface StatusClient {
  /** As `Client.update`, of the status alone. */
  update<T extends KubernetesObject>(
    kind: Kind<T>,
    object: Writable<T>,
    options?: RequestOptions,
  ): Promise<T>;
  /** As `Client.patch`, of the status alone. */
  patch<T extends KubernetesObject>(
    kind: Kind<T>,
    key: ObjectKey,
    patch: MergePatch<NoInfer<T>>,
    options?: RequestOptions & { type?: 'merge' },
  ): Promise<T>;
  patch<T extends KubernetesObject>(
    kind: Kind<T>,
    key: ObjectKey,
    patch: JsonPatchOperation[],
    options: RequestOptions & { type: 'json' },
  ): Promise<T>;
}

/**
 * Reads and writes objects on the API server, without a cache. Objects are plain JSON: fields that a type does not
 * know survive being read, changed and written back.
 *
 * Every method throws `ApiError` when the server refuses, `ConnectionError` when it does not answer, and `UsageError`
 * when a name or namespace is missing.
 */
export class Client {
  readonly status: StatusClient;
  readonly #transport: Transport;
  readonly #ownsTransport: boolean;
  readonly #fieldManager: string | undefined;

  /**
   * @param connection where the API server is, or a transport to share, which `close` then leaves open.
   * @throws {ConnectionConfigError} when the server's URL is not one.
   */
  constructor(connection: ConnectionConfig | Transport, options: ClientOptions = {}) {
    this.#ownsTransport = !(connection instanceof Transport);
    this.#transport = connection instanceof Transport ? connection : new Transport(connection);
    this.#fieldManager = options.fieldManager;
    this.status = {
      update: (kind, object, requestOptions) => this.#put(kind, object, 'status', requestOptions),
      patch: <T extends KubernetesObject>(
        kind: Kind<T>,
        key: ObjectKey,
        patch: MergePatch<T> | JsonPatchOperation[],
        patchOptions?: RequestOptions & { type?: 'merge' | 'json' },
      ) => this.#patch<T>(kind, key, patch, 'status', patchOptions),
    };
  }

  /** The object, or undefined when there is none of this name. */
  async get<T extends KubernetesObject>(
    kind: Kind<T>,
    key: ObjectKey,
    { signal }: RequestOptions = {},
  ): Promise<T | undefined> {
    const path = objectPath(kind, key);
    try {
      return await this.#send<T>({ method: 'GET', path, signal });
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  /** The objects of a kind; the items carry `apiVersion` and `kind`, which the server leaves out of lists. */
  async list<T extends KubernetesObject>(kind: Kind<T>, options: ListOptions = {}): Promise<ObjectList<T>> {
    const { namespace, signal, ...query } = options;
    const list = await this.#send<ObjectList<T>>({
      method: 'GET',
      path: collectionPath(kind, namespace),
      query,
      signal,
    });
    const { apiVersion, kind: name } = kind;
    const items = list.items.map((item) => ({ ...item, apiVersion, kind: name }));
    return { items, metadata: list.metadata };
  }

  /** Creates the object and returns it as the server stored it. */
  create<T extends KubernetesObject>(
    kind: Kind<T>,
    object: Writable<T>,
    options: RequestOptions = {},
  ): Promise<T> {
    const namespace = requiredNamespace(kind, object.metadata.namespace);
    return this.#send<T>({
      method: 'POST',
      path: collectionPath(kind, namespace),
      query: this.#writeQuery(),
      body: object,
      signal: options.signal,
    });
  }

  /**
   * Replaces the object and returns it as the server stored it. With the `resourceVersion` that was read, the update
   * is refused (`isConflict`) when somebody else was faster.
   */
  update<T extends KubernetesObject>(
    kind: Kind<T>,
    object: Writable<T>,
    options?: RequestOptions,
  ): Promise<T> {
    return this.#put(kind, object, undefined, options);
  }

  /** Changes fields of the object and returns it as the server stored it. */
  patch<T extends KubernetesObject>(
    kind: Kind<T>,
    key: ObjectKey,
    patch: MergePatch<NoInfer<T>>,
    options?: RequestOptions & { type?: 'merge' },
  ): Promise<T>;
  patch<T extends KubernetesObject>(
    kind: Kind<T>,
    key: ObjectKey,
    patch: JsonPatchOperation[],
    options: RequestOptions & { type: 'json' },
  ): Promise<T>;
  patch<T extends KubernetesObject>(
    kind: Kind<T>,
    key: ObjectKey,
    patch: MergePatch<T> | JsonPatchOperation[],
    options?: RequestOptions & { type?: 'merge' | 'json' },
  ): Promise<T> {
    return this.#patch<T>(kind, key, patch, undefined, options);
  }

  /**
   * Asks for the deletion of the object; finalizers may delay it after this returns.
   * @throws {ApiError} `isNotFound` when there is no such object.
   */
  async delete<T extends KubernetesObject>(
    kind: Kind<T>,
    key: ObjectKey,
    { signal, ...options }: DeleteOptions = {},
  ): Promise<void> {
    const body = { apiVersion: 'v1', kind: 'DeleteOptions', ...options };
    await this.#send({ method: 'DELETE', path: objectPath(kind, key), body, signal });
  }

  /** Closes the connections. Requests under way fail. */
  async close(): Promise<void> {
    if (this.#ownsTransport) await this.#transport.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #put<T extends KubernetesObject>(
    kind: Kind<T>,
    object: Writable<T>,
    subresource: 'status' | undefined,
    options: RequestOptions = {},
  ): Promise<T> {
    const path = objectPath(kind, object.metadata, subresource);
    return this.#send<T>({
      method: 'PUT',
      path,
      query: this.#writeQuery(),
      body: object,
      signal: options.signal,
    });
  }

  #patch<T extends KubernetesObject>(
    kind: Kind<T>,
    key: ObjectKey,
    patch: MergePatch<T> | JsonPatchOperation[],
    subresource: 'status' | undefined,
    options: RequestOptions & { type?: 'merge' | 'json' } = {},
  ): Promise<T> {
    return this.#send<T>({
      method: 'PATCH',
      path: objectPath(kind, key, subresource),
      query: this.#writeQuery(),
      body: patch,
      contentType: `application/${options.type === 'json' ? 'json-patch' : 'merge-patch'}+json`,
      signal: options.signal,
    });
  }

  async #send<T>(request: TransportRequest): Promise<T> {
    return this.#transport.request<T>(request);
  }

  #writeQuery(): Query {
    return { fieldManager: this.#fieldManager };
  }
}
