import type { Kind, KubernetesObject } from 'ots-kubernetes';
import { acceptList, acceptObject } from '../client/accept.ts';
import { collectionPath } from '../client/resource-path.ts';
import type { Query } from '../transport/transport-request.ts';
import type { Transport } from '../transport/transport.ts';

export interface ListPage<T> {
  /** Some extension servers write null for an empty list. */
  items: T[] | null;
  metadata: { resourceVersion: string; continue?: string };
}

export interface ListQuery {
  limit?: number;
  continue?: string | undefined;
}

export interface WatchQuery {
  /** Where to resume; the current state by default. */
  resourceVersion?: string;
  timeoutSeconds: number;
  /** Starts with all objects and a bookmark that marks them as complete (KEP-3157). */
  sendInitialEvents?: true;
}

/** Which objects of a kind to list and watch. */
export interface Selection {
  /** All when absent; ignored for cluster-scoped kinds. */
  namespace?: string | undefined;
  /** As in `kubectl -l`. */
  labelSelector?: string | undefined;
  /** As in `kubectl --field-selector`. */
  fieldSelector?: string | undefined;
}

/** A page of large objects takes the server a while. In milliseconds. */
const listTimeout = 60_000;

/** Lists and watches the objects of one kind in one namespace, or in all of them. */
export class ListWatcher<T extends KubernetesObject> {
  readonly kind: Kind<T>;
  readonly namespace: string | undefined;
  readonly #transport: Transport;
  readonly #path: string;
  readonly #selectors: Query;

  constructor(transport: Transport, kind: Kind<T>, selection: Selection = {}) {
    this.kind = kind;
    this.namespace = selection.namespace;
    this.#transport = transport;
    this.#path = collectionPath(kind, selection.namespace);
    this.#selectors = {
      labelSelector: selection.labelSelector || undefined,
      fieldSelector: selection.fieldSelector || undefined,
    };
  }

  /**
   * One page of the current state. It requests no resource version, so the response is never older than an earlier one,
   * and pages are honored (a server ignores `limit` when it serves `resourceVersion=0` from its cache).
   */
  list(query: ListQuery, signal: AbortSignal): Promise<ListPage<T>> {
    return this.#transport.request<ListPage<T>>({
      method: 'GET',
      path: this.#path,
      query: { ...this.#selectors, ...query },
      accept: acceptList(this.kind),
      timeout: listTimeout,
      signal,
    });
  }

  watch(query: WatchQuery, signal: AbortSignal): Promise<AsyncIterable<Buffer>> {
    const fromStart = query.sendInitialEvents && { resourceVersionMatch: 'NotOlderThan' };
    return this.#transport.stream(
      this.#path,
      { ...this.#selectors, ...query, ...fromStart, watch: true, allowWatchBookmarks: true },
      signal,
      acceptObject(this.kind),
    );
  }
}
