import type { Clock } from 'ots-apimachinery/clock/clock';
import type { ConnectionConfig } from '../kubeconfig/connection-config.ts';
import type { Logger } from '../logging/logger.ts';
import type { Manager } from '../manager/manager.ts';

/**
 * All clusters, by name. An error in place of a connection says why there is none at the moment: a new cluster waits, and a known
 * one goes on with the connection that it has.
 */
export type ClusterSet = Readonly<Record<string, ConnectionConfig | Error>>;

/** What a provider may use. */
export interface ClusterProviderContext {
  /** The manager whose controllers work with the clusters, for what its own cluster knows about them. */
  readonly manager: Manager;
  /** Aborts when the manager stops: the provider ends then. */
  readonly signal: AbortSignal;
  /** The clock to wait by; tests can move its time. */
  readonly clock: Clock;
  /** Carries that the lines are about clusters. */
  readonly logger: Logger;
}

/** Knows which clusters there are: `kubeconfigContexts`, `secretClusters`, `clusterProfiles`, or one of your own. */
export interface ClusterProvider {
  /**
   * Yields all clusters, and again whenever they or their connections change; the last set counts, also after the end. An error
   * stops the manager.
   */
  clusters(context: ClusterProviderContext): AsyncIterable<ClusterSet>;
}
