import type { Kind, KubernetesObject } from 'ots-kubernetes';
import { acceptList, acceptObject } from '../client/accept.ts';
import { collectionPath } from '../client/resource-path.ts';
import { isApiError } from '../errors/api-error.ts';
import { isMetadataKind } from '../objects/metadata-of.ts';
import type { Query } from '../transport/transport-request.ts';
import type { Transport } from '../transport/transport.ts';
import type { ObjectOwnership } from './own-objects.ts';

export interface ListPage<T> {
  /** Some extension servers write null for an empty list. */
  items: T[] | null;
  metadata: {
    resourceVersion: string;
    continue?: string;
    /** The shard selector that the server has applied (KEP-5866). */
    shardInfo?: { selector: string } | undefined;
  };
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
  /** Only its objects; all if absent. It may change. */
  ownership?: ObjectOwnership | undefined;
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
  readonly #ownership: ObjectOwnership | undefined;
  /** Whether the server has applied a shard selector to the last list; undefined before that. */
  #isSelectedByServer: boolean | undefined;
  /** Whether to ask for it: the server, or a proxy, has not refused it. */
  #asksForShards = true;

  constructor(transport: Transport, kind: Kind<T>, selection: Selection = {}) {
    this.kind = kind;
    this.namespace = selection.namespace;
    this.#ownership = selection.ownership;
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
  async list(query: ListQuery, signal: AbortSignal): Promise<ListPage<T>> {
    const shardSelector = this.#shardSelector;
    if (shardSelector === undefined) return this.#page(query, signal);
    try {
      const page = await this.#page({ ...query, shardSelector }, signal);
      const applied = page.metadata.shardInfo?.selector;
      // kube-apiserver does not repeat the selector in lists of metadata.
      if (!isMetadataKind(this.kind)) this.#isSelectedByServer = applied !== undefined;
      if (applied === undefined || applied === shardSelector) return page;
    } catch (error) {
      if (!isSelectorRefused(error)) throw error;
    }
    this.#asksForShards = false;
    this.#isSelectedByServer = false;
    return this.#page(query, signal);
  }

  /**
   * Whether the server sends only its own objects; undefined while that is unknown, all objects are its own, or
   * only metadata is listed. One that
   * does not know shard selectors, or whose proxy refuses them, sends all.
   */
  get isSelectedByServer(): boolean | undefined {
    return this.#isSelectedByServer;
  }

  /** Whether an object that the server has sent is one of those to mirror: it may send more. */
  selects({ metadata: { uid } }: KubernetesObject): boolean {
    return this.#ownership?.owns(uid ?? '') ?? true;
  }

  get #shardSelector(): string | undefined {
    return this.#asksForShards ? this.#ownership?.selector : undefined;
  }

  #page(query: ListQuery & { shardSelector?: string }, signal: AbortSignal): Promise<ListPage<T>> {
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
      {
        ...this.#selectors,
        shardSelector: this.#shardSelector,
        ...query,
        ...fromStart,
        watch: true,
        allowWatchBookmarks: true,
      },
      signal,
      acceptObject(this.kind),
    );
  }
}

/** 414 and 431 come from proxies: the selector of a third of all shards takes 20 KB in the URL. */
const refusals = new Set([400, 414, 431]);

function isSelectorRefused(error: unknown): boolean {
  if (!isApiError(error)) return false;
  return refusals.has(error.status) || error.message.includes('invalid shard selector');
}
