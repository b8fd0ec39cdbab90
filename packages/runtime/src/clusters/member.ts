import { setMaxListeners } from 'node:events';
import { isDeepStrictEqual } from 'node:util';
import type { Cache } from '../cache/cache.ts';
import type { Client } from '../client/client.ts';
import type { EventRecorder } from '../events/event-recorder.ts';
import type { ConnectionConfig } from '../kubeconfig/connection-config.ts';
import type { Cluster } from '../manager/cluster.ts';
import type { RestMapper } from '../mapping/rest-mapper.ts';

/** Access to one cluster: a `Manager` is that to its own. */
export interface ClusterAccess {
  /** Reads from the cache of the cluster, and writes to its server. */
  readonly client: Client;
  /** Reads from the server of the cluster. */
  readonly apiReader: Client;
  /** What the controllers watch in the cluster. */
  readonly cache: Cache;
  /** Finds the kinds of the cluster. */
  readonly mapper: RestMapper;
  /**
   * Returns the recorder with this name for events in the cluster.
   * @throws {UsageError} if events cannot have this name.
   */
  eventRecorder(controller: string): EventRecorder;
}

/** A cluster that has joined. */
export class Member {
  readonly name: string;
  readonly access: ClusterAccess;
  /** Why its provider has no new connection for it; undefined if nothing is wrong. */
  complaint: string | undefined;
  readonly #cluster: Cluster;
  readonly #left = new AbortController();
  #connection: ConnectionConfig;
  #isSynced = false;

  constructor(name: string, connection: ConnectionConfig, cluster: Cluster) {
    this.name = name;
    this.#connection = connection;
    this.#cluster = cluster;
    const { client, apiReader, cache, recorders } = cluster;
    const { mapper } = apiReader;
    this.access = {
      client,
      apiReader,
      cache,
      mapper,
      eventRecorder: (controller) => recorders.recorder(controller),
    };
    // Every informer and every source listens.
    setMaxListeners(0, this.#left.signal);
  }

  /** Aborts when it leaves. */
  get left(): AbortSignal {
    return this.#left.signal;
  }

  /** Whether its caches are filled, so that controllers can work with it. */
  get isSynced(): boolean {
    return this.#isSynced;
  }

  /** Why it is not as its provider and its controllers want it; empty if nothing is wrong. */
  get problems(): string[] {
    const { complaint } = this;
    return [...(complaint === undefined ? [] : [complaint]), ...this.#cluster.cache.problems()];
  }

  /** Fills its caches, for as long as that takes. False if it has left before. */
  async start(): Promise<boolean> {
    const { cache } = this.#cluster;
    cache.start(this.left);
    await cache.filled();
    this.#isSynced = !this.left.aborted;
    return this.#isSynced;
  }

  /**
   * Goes on with this connection if it leads to the same server.
   * @returns false if it does not: then it is another cluster.
   * @throws {ConnectionConfigError} if the connection contradicts itself; nothing has changed then.
   */
  renew(connection: ConnectionConfig): boolean {
    const before = this.#connection;
    const isSame = placeFields.every((field) => before[field] === connection[field]);
    if (isSame && !isDeepStrictEqual(before, connection)) this.#cluster.renew(connection);
    if (isSame) this.#connection = connection;
    return isSame;
  }

  /**
   * Ends everything that belongs to it.
   * @param inTime whether enough time is left to write its last events.
   */
  async leave(reason: unknown, inTime: boolean): Promise<void> {
    this.#left.abort(reason);
    const { cache } = this.#cluster;
    await Promise.all([cache.stopped(), this.#cluster.close(inTime)]);
  }
}

/** What tells one server from another. The rest is how to be let in. */
const placeFields = ['server', 'exchange', 'clock', 'random'] as const;
