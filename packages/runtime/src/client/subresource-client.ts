import type { Kind, KubernetesObject } from 'ots-kubernetes';
import type { DeepReadonly } from '../objects/deep-readonly.ts';
import type { ObjectKey } from '../objects/object-key.ts';
import { metadataAsKind } from './as-kind.ts';
import type { Content, Writable } from './content.ts';
import type { ObjectRequests } from './object-requests.ts';
import { ObjectWriter } from './object-writer.ts';
import type { RequestOptions, WriteOptions } from './request-options.ts';
import { objectPath } from './resource-path.ts';

/**
 * Reads and writes one subresource of objects, always on the server. Most contain the object itself (`status`,
 * `approval`, `ephemeralcontainers`); for others, `Body` is what they contain (`scale`, `eviction`, `token`,
 * `binding`).
 */
export class SubresourceClient<Body extends KubernetesObject = never> extends ObjectWriter<Body> {
  readonly #requests: ObjectRequests;
  readonly #name: string;

  /** @internal */
  constructor(requests: ObjectRequests, name: string) {
    super(requests, name);
    this.#requests = requests;
    this.#name = name;
  }

  /**
   * The subresource of an object.
   * @throws {ApiError} if the server refuses; `isNotFound` if the object or the subresource does not exist.
   */
  async get<T extends KubernetesObject>(
    kind: Kind<T>,
    key: ObjectKey,
    options: RequestOptions = {},
  ): Promise<DeepReadonly<Content<T, Body>>> {
    const request = this.#request('GET', kind, key);
    const response = await this.#requests.send<Content<T, Body>>(kind, request, options);
    return metadataAsKind(kind, response) as DeepReadonly<Content<T, Body>>;
  }

  /**
   * Posts to the subresource: evicts a pod, requests a token, binds a pod to a node.
   * @returns the response, usually the body.
   */
  async create<T extends KubernetesObject>(
    kind: Kind<T>,
    key: ObjectKey,
    body: Writable<Content<NoInfer<T>, Body>>,
    options: WriteOptions = {},
  ): Promise<Content<T, Body>> {
    const request = { ...this.#request('POST', kind, key), body };
    return (await this.#requests.write(kind, request, options)) as Content<T, Body>;
  }

  #request<Method extends 'GET' | 'POST'>(method: Method, kind: Kind, key: ObjectKey) {
    return { method, path: objectPath(kind, key, this.#name), subresource: this.#name };
  }
}
