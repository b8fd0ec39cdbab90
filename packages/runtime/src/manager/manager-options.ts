import type { Duration } from 'ots-kubernetes';
import type { ConnectionConfig } from '../kubeconfig/connection-config.ts';
import type { Logger } from '../logging/logger.ts';
import type { MetricsOptions } from '../metrics/metrics-server.ts';
import type { ListenOptions } from '../server/listener.ts';
import type { WebhookServerOptions } from '../webhook/webhook-server.ts';

export interface ManagerOptions {
  /** Where the API server is; see `loadConfig`. */
  connection: ConnectionConfig;
  /** JSON to standard error by default. */
  logger?: Logger | undefined;
  /** The namespaces to watch; all when absent. */
  namespaces?: readonly string[] | undefined;
  /** Serves `/healthz` and `/readyz`; off when absent or false. */
  health?: ListenOptions | false | undefined;
  /** Serves `/metrics`; off when absent or false. */
  metrics?: MetricsOptions | false | undefined;
  /**
   * Serves the webhooks that WebhookBuilder and ConversionBuilder add. With `false` they are not served, as on a
   * laptop that no API server can call; when absent, adding one is an error at start.
   */
  webhooks?: WebhookServerOptions | false | undefined;
  /** How long stopping may take; `'30s'` by default. 0 does not wait. */
  gracefulShutdownTimeout?: Duration | number | undefined;
}
