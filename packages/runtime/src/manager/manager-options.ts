import type { Duration } from 'ots-kubernetes';
import type { NamespaceSelection } from '../cache/namespace-selection.ts';
import type { ConnectionConfig } from '../kubeconfig/connection-config.ts';
import type { LeaderElectionOptions } from '../leader-election/leader-election-options.ts';
import type { Logger } from '../logging/logger.ts';
import type { MetricsOptions } from '../metrics/metrics-server.ts';
import type { ProfilingOptions } from '../profiling/profiling-server.ts';
import type { ListenOptions } from '../server/listener.ts';
import type { ShardingOptions } from '../sharding/sharding-options.ts';
import type { WebhookServerOptions } from '../webhook/webhook-server.ts';

/** Options for all kinds in the cache; `manager.cache.add` configures single kinds. */
export interface ManagerCacheOptions {
  /**
   * The namespaces to watch: a fixed list, a `NamespaceList` that changes at run time, or those with certain labels
   * (`{ labelSelector: 'team=a' }`). All when absent. Cluster-scoped kinds are watched as a whole.
   */
  namespaces?: NamespaceSelection | undefined;
  /**
   * Shows this program's own writes at once instead of when the watch delivers them; true by default. Without it a
   * reconciler may find the state from before its own last write.
   */
  readYourWrites?: boolean | undefined;
}

/** How an operator runs. Only `connection` is required; every server is off by default. */
export interface ManagerOptions {
  /** Where the API server is; see `loadConfig`. */
  connection: ConnectionConfig;
  /**
   * The name of the program for the API server, alone or as `name/version`. The name becomes the owner of the fields
   * that `manager.client` writes, so it must stay the same from version to version. Without it, `client.apply` needs a
   * `fieldOwner`.
   */
  userAgent?: string | undefined;
  /** By default to standard error, from level info on: text at a terminal, JSON elsewhere. */
  logger?: Logger | undefined;
  /** Options of all kinds in the cache. */
  cache?: ManagerCacheOptions | undefined;
  /** Serves `/healthz` and `/readyz`, usually on port 8081; off when absent or false. */
  health?: ListenOptions | false | undefined;
  /** Serves `/metrics`, usually on port 8443; off when absent or false. */
  metrics?: MetricsOptions | false | undefined;
  /**
   * Serves the webhooks that WebhookBuilder and ConversionBuilder add, usually on port 9443. With `false` they are not
   * served, for example on a laptop that no API server can call. When absent, they are served to the API server of a test, on
   * a free port of this machine with a certificate of their own; with any other API server, adding one is then an error at
   * startup.
   */
  webhooks?: WebhookServerOptions | false | undefined;
  /**
   * Lets one of several replicas work while the others stand by; off when absent or false. More than one replica
   * requires it or `sharding`, even if there is only one except during a rolling update.
   */
  leaderElection?: LeaderElectionOptions | false | undefined;
  /**
   * Lets the replicas divide the objects of the controllers among each other; off when absent or false. Work that needs
   * one leader also requires `leaderElection`.
   */
  sharding?: ShardingOptions | false | undefined;
  /** Serves heap and CPU profiles; off when absent or false. */
  profiling?: ProfilingOptions | false | undefined;
  /**
   * How long stopping may take; `'30s'` by default. After that, the manager gives up on work that still runs, which is
   * an error. 0 does not wait and is not an error; `'infinite'` and negative numbers wait for as long as it takes. After
   * a loss of leadership the manager does not wait. Keep this some seconds below `terminationGracePeriodSeconds` of the
   * pod, which is 30 by default and 45 in a scaffolded project.
   */
  gracefulShutdownTimeout?: Duration | number | undefined;
}
