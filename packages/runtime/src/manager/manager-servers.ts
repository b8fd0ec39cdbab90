import type { Client } from '../client/client.ts';
import type { Clock } from 'ots-apimachinery/clock/clock';
import { UsageError } from '../errors/usage-error.ts';
import type { Endpoints } from '../health/health-server.ts';
import type { Logger } from '../logging/logger.ts';
import type { ManagerMetrics } from '../metrics/manager-metrics.ts';
import type { DebugSources } from '../metrics/serve-debug.ts';
import type { ServiceMap } from '../kubeconfig/connection-config.ts';
import type { Listener } from '../server/listener.ts';
import type { Tracer } from '../tracing/tracer.ts';
import type { ConversionRegistry } from '../webhook/conversion-registry.ts';
import type { WebhookRegistry } from '../webhook/webhook-registry.ts';
import type { WebhookServer } from '../webhook/webhook-server.ts';
import type { ManagerOptions } from './manager-options.ts';

/** The servers of a manager. */
export type ServerName = 'health' | 'metrics' | 'profiling' | 'webhooks';

export interface ServerDependencies {
  /** Reads from the server: reviews and certificates do not need a cache. */
  client: Client;
  webhooks: WebhookRegistry;
  conversions: ConversionRegistry;
  metrics: ManagerMetrics | undefined;
  debug: DebugSources | undefined;
  tracer: Tracer | undefined;
  /** For certificates. */
  clock: Clock;
  /** For requests. */
  networkClock: Clock;
  logger: Logger;
  endpoints: Endpoints;
}

/** The servers of a manager. Each is loaded only if configured: most tests and tools need none. */
export class ManagerServers {
  readonly #options: ManagerOptions;
  readonly #dependencies: ServerDependencies;
  readonly #open = new Map<ServerName, Listener>();

  constructor(options: ManagerOptions, dependencies: ServerDependencies) {
    this.#options = options;
    this.#dependencies = dependencies;
  }

  /** The ports of the servers that listen. */
  get ports(): Partial<Record<ServerName, number>> {
    return Object.fromEntries([...this.#open].map(([name, server]) => [name, server.port]));
  }

  /**
   * @param signal stops waiting for a certificate that must be issued first; the call rejects with its reason.
   * @throws {ListenError}, {CertificateError}, {UsageError} when a server cannot start; `close` closes the others.
   */
  async open(signal: AbortSignal): Promise<void> {
    const { connection, health, metrics, profiling, webhooks } = this.#options;
    const {
      endpoints,
      metrics: registry,
      debug,
      clock,
      networkClock,
      logger,
      client,
      webhooks: added,
    } = this.#dependencies;
    const common = { clock, networkClock, logger };
    if (health) {
      const { HealthServer } = await import('../health/health-server.ts');
      await this.#start('health', new HealthServer(health, endpoints));
    }
    if (metrics && registry) {
      const { metricsServer } = await import('../metrics/metrics-server.ts');
      await this.#start('metrics', metricsServer(metrics, { ...common, client, metrics: registry, debug }));
    }
    if (profiling) {
      const { ProfilingServer } = await import('../profiling/profiling-server.ts');
      await this.#start('profiling', new ProfilingServer(profiling, logger));
    }
    if (added.isEmpty) {
      if (webhooks !== false) added.seal();
      return;
    }
    const services = webhooks === undefined ? connection.services : undefined;
    if (webhooks) await this.#openWebhooks(webhooks, signal);
    else if (services) {
      const serve = () => this.#serveWebhooks(services, signal);
      // A virtual clock does not see it otherwise, and time would pass without the webhooks.
      await (connection.track ? connection.track('the start of the webhooks', serve) : serve());
    } else if (webhooks === false) {
      logger.info('webhooks are off; defaults and validation do not apply');
    } else {
      throw new UsageError(
        'Webhooks were added, but the manager serves none',
        'Pass webhooks: { port, certDir } to Manager.create, or webhooks: false to run without them.',
      );
    }
  }

  /** Serves webhooks to an API server that knows where, such as that of a test. */
  async #serveWebhooks(services: ServiceMap, signal: AbortSignal): Promise<void> {
    const { localWebhooks } = await import('../webhook/webhook-server.ts');
    const local = localWebhooks();
    const server = await this.#openWebhooks(local, signal);
    await services.set('*', {
      url: `https://${local.host}:${server.port}`,
      ca: local.certificate.cert,
      handle: server.handle,
    });
  }

  async #openWebhooks(
    options: ConstructorParameters<typeof WebhookServer>[0],
    signal: AbortSignal,
  ): Promise<WebhookServer> {
    const { WebhookServer: Server } = await import('../webhook/webhook-server.ts');
    const { metrics, tracer, clock, networkClock, logger, client, webhooks, conversions, endpoints } =
      this.#dependencies;
    const server = new Server(options, {
      clock,
      networkClock,
      logger,
      client,
      webhooks,
      rotatorDefaults: {
        namespace: this.#options.connection.namespace,
        customResourceDefinitions: conversions.definitions,
      },
      tracer,
      observe: metrics && ((path) => metrics.webhook(path)),
      certificateObserver: metrics?.certificates(),
    });
    endpoints.readyz.add('webhooks', () => server.problem());
    await this.#start('webhooks', server, signal);
    return server;
  }

  /** Accepts no more webhook requests and resolves when those in progress are finished. */
  async closeWebhooks(): Promise<void> {
    const server = this.#open.get('webhooks');
    if (!server) return;
    const { connection, webhooks } = this.#options;
    if (webhooks === undefined) await connection.services?.delete('*');
    await server.close();
  }

  /** Closes the other servers. Probes work until the very end. */
  async close(): Promise<void> {
    for (const name of ['profiling', 'metrics', 'health'] as const) await this.#open.get(name)?.close();
  }

  /** Aborts the requests in progress. */
  closeNow(): void {
    for (const server of this.#open.values()) server.closeNow();
  }

  async #start(name: ServerName, server: Listener, signal?: AbortSignal): Promise<void> {
    this.#open.set(name, server);
    await server.open(signal);
  }
}
