import type { Kind, KubernetesObject } from 'ots-kubernetes';
import { collectionPath } from '../client/resource-path.ts';
import type { Transport } from '../transport/transport.ts';

export interface ListPage<T> {
  items: T[];
  metadata: { resourceVersion: string; continue?: string };
}

export interface ListQuery {
  limit?: number;
  continue?: string | undefined;
}

export interface WatchQuery {
  resourceVersion: string;
  timeoutSeconds: number;
}

/** Lists and watches the objects of one kind in one namespace, or in all of them. */
export class ListWatcher<T extends KubernetesObject> {
  readonly kind: Kind<T>;
  readonly namespace: string | undefined;
  readonly #transport: Transport;
  readonly #path: string;

  constructor(transport: Transport, kind: Kind<T>, namespace: string | undefined) {
    this.kind = kind;
    this.namespace = namespace;
    this.#transport = transport;
    this.#path = collectionPath(kind, namespace);
  }

  /**
   * One page of the current state. No resource version is asked for, so the answer is never older than an earlier
   * one, and pages are honoured (a server ignores `limit` when it answers from its cache of an old version).
   */
  async list(query: ListQuery, signal: AbortSignal): Promise<ListPage<T>> {
    const page = await this.#transport.request<ListPage<T>>({
      method: 'GET',
      path: this.#path,
      query: { ...query },
      signal,
    });
    const { apiVersion, kind } = this.kind;
    const items = page.items.map((item) => ({ ...item, apiVersion, kind }));
    return { items, metadata: page.metadata };
  }

  watch(query: WatchQuery, signal: AbortSignal): Promise<AsyncIterable<Buffer>> {
    return this.#transport.stream(this.#path, { ...query, watch: true, allowWatchBookmarks: true }, signal);
  }
}
