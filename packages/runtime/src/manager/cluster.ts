import type { NamespaceOwnership } from '../cache/own-namespaces.ts';
import type { ObjectOwnership } from '../cache/own-objects.ts';
import { Cache, type CacheOptions } from '../cache/cache.ts';
import { Client } from '../client/client.ts';
import { type Clock, systemClock } from 'ots-apimachinery/clock/clock';
import type { ApiError } from '../errors/api-error.ts';
import type { Logger } from '../logging/logger.ts';
import type { ManagerMetrics } from '../metrics/manager-metrics.ts';
import type { ConnectionConfig } from '../kubeconfig/connection-config.ts';
import type { Tracer } from '../tracing/tracer.ts';
import { Reachability } from '../transport/reachability.ts';
import { Transport } from '../transport/transport.ts';
import { distinctWarnings } from '../transport/warnings.ts';
import { EventRecorders } from './event-recorders.ts';
import type { ManagerOptions } from './manager-options.ts';

export interface ClusterDependencies {
  /** Without those of informers in other clusters than the manager's: only the kind tells them apart. */
  metrics:
    | (Pick<ManagerMetrics, 'transport' | 'events'> & Partial<Pick<ManagerMetrics, 'informer'>>)
    | undefined;
  tracer: Tracer | undefined;
  /** The operator's. */
  clock: Clock;
  logger: Logger;
  onRefusal: ((error: ApiError) => void) | undefined;
  /** Leaves the namespaces of other replicas out of the cache; see `ShardingOptions.divideCache`. */
  ownership?: NamespaceOwnership | undefined;
  /** Leaves the objects of other replicas out of the cache; see `ShardingOptions.divideCache`. */
  objectOwnership?: ObjectOwnership | undefined;
}

/** A manager's access to one API server, over one set of connections. */
export class Cluster {
  readonly cache: Cache;
  /** Reads from the cache. */
  readonly client: Client;
  /** Reads from the server. */
  readonly apiReader: Client;
  readonly recorders: EventRecorders;
  /** Shared by all connections to the server, including those of the leader election. */
  readonly reachability: Reachability;
  readonly #transport: Transport;
  readonly #logger: Logger;

  /** @throws {ConnectionConfigError} when the server's URL is not one. */
  constructor(
    { connection, userAgent, cache }: Pick<ManagerOptions, 'connection' | 'userAgent' | 'cache'>,
    { metrics, tracer, clock, logger, onRefusal, ownership, objectOwnership }: ClusterDependencies,
  ) {
    this.reachability = new Reachability({
      server: connection.server,
      clock: connection.clock ?? systemClock,
      logger,
    });
    this.#transport = new Transport(connection, {
      reachability: this.reachability,
      observer: metrics?.transport(),
      tracer,
      onRefusal,
      userAgent,
      onWarning: distinctWarnings((text) => logger.warn(`the API server warns: ${text}`)),
    });
    this.#logger = logger;
    const informer = metrics?.informer?.bind(metrics);
    this.cache = this.#newCache({ ...cache, observe: informer, ownership, objectOwnership });
    this.apiReader = new Client(this.#transport);
    this.client = new Client(this.#transport, { cache: this.cache, mapper: this.apiReader.mapper });
    this.recorders = new EventRecorders({
      client: this.apiReader,
      clock,
      networkClock: this.networkClock,
      random: connection.random,
      logger,
      observer: metrics?.events(),
    });
  }

  /** The clock of everything that waits for the network; see `ConnectionConfig.clock`. */
  get networkClock(): Clock {
    return this.#transport.clock;
  }

  /** Another cache, with its own watches. */
  createCache(namespaces: readonly string[]): Cache {
    return this.#newCache({ namespaces });
  }

  /**
   * Goes on with other credentials for the same server.
   * @throws {ConnectionConfigError} when parts of the connection conflict.
   */
  renew(connection: ConnectionConfig): void {
    this.#transport.renew(connection);
  }

  /** @param inTime whether enough time is left to write the last events, including that of the election. */
  async close(inTime: boolean): Promise<void> {
    await this.recorders.stop(inTime);
    await this.#transport.close();
  }

  #newCache({
    namespaces,
    ...options
  }: Partial<
    Pick<CacheOptions, 'namespaces' | 'readYourWrites' | 'observe' | 'ownership' | 'objectOwnership'>
  >): Cache {
    return new Cache({
      ...options,
      namespaces,
      transport: this.#transport,
      clock: this.networkClock,
      logger: this.#logger,
    });
  }
}
