import { Cache } from '../cache/cache.ts';
import { Client } from '../client/client.ts';
import { type Clock, systemClock } from 'ots-apimachinery/clock/clock';
import type { ApiError } from '../errors/api-error.ts';
import type { Logger } from '../logging/logger.ts';
import type { ManagerMetrics } from '../metrics/manager-metrics.ts';
import type { Tracer } from '../tracing/tracer.ts';
import { Reachability } from '../transport/reachability.ts';
import { Transport } from '../transport/transport.ts';
import { distinctWarnings } from '../transport/warnings.ts';
import { EventRecorders } from './event-recorders.ts';
import type { ManagerOptions } from './manager-options.ts';

export interface ClusterDependencies {
  metrics: ManagerMetrics | undefined;
  tracer: Tracer | undefined;
  /** The operator's. */
  clock: Clock;
  logger: Logger;
  onRefusal: ((error: ApiError) => void) | undefined;
}

/** A manager's access to its API server, over one set of connections. */
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

  /** @throws {ConnectionConfigError} when the server's URL is not one. */
  constructor(
    { connection, userAgent, cache }: ManagerOptions,
    { metrics, tracer, clock, logger, onRefusal }: ClusterDependencies,
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
    this.cache = new Cache({
      ...cache,
      transport: this.#transport,
      namespaces: cache?.namespaces,
      clock: this.networkClock,
      logger,
      observe: metrics && ((kind) => metrics.informer(kind)),
    });
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

  /** @param inTime whether enough time is left to write the last events, including that of the election. */
  async close(inTime: boolean): Promise<void> {
    await this.recorders.stop(inTime);
    await this.#transport.close();
  }
}
