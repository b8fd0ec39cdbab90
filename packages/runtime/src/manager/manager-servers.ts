import type { Client } from '../client/client.ts';
import { systemClock } from '../clock/clock.ts';
import { UsageError } from '../errors/usage-error.ts';
import type { Logger } from '../logging/logger.ts';
import type { ManagerMetrics } from '../metrics/manager-metrics.ts';
import type { Listener } from '../server/listener.ts';
import type { WebhookRegistry } from '../webhook/webhook-registry.ts';
import type { ManagerOptions } from './manager-options.ts';

export type ServerName = 'health' | 'metrics' | 'webhooks';

export interface ServerDependencies {
  client: Client;
  webhooks: WebhookRegistry;
  metrics: ManagerMetrics | undefined;
  logger: Logger;
  /** What keeps the manager from being ready; empty when it is. */
  problems: () => string[];
}

/** The servers of a manager. Each is loaded only when it is asked for: most tests and tools need none. */
export class ManagerServers {
  readonly #options: ManagerOptions;
  readonly #dependencies: ServerDependencies;
  readonly #open = new Map<ServerName, Listener>();

  constructor(options: ManagerOptions, dependencies: ServerDependencies) {
    this.#options = options;
    this.#dependencies = dependencies;
  }

  /** The ports of those that listen. */
  get ports(): Partial<Record<ServerName, number>> {
    return Object.fromEntries([...this.#open].map(([name, server]) => [name, server.port]));
  }

  /** @throws {ListenError}, {CertificateError}, {UsageError} when one cannot start; `close` closes the others. */
  async open(): Promise<void> {
    const { health, metrics, webhooks } = this.#options;
    const { problems, metrics: registry, logger, client, webhooks: added } = this.#dependencies;
    const common = { clock: systemClock, logger };
    if (health) {
      const { HealthServer } = await import('../health/health-server.ts');
      await this.#start('health', new HealthServer(health, problems));
    }
    if (metrics && registry) {
      const { metricsServer } = await import('../metrics/metrics-server.ts');
      await this.#start('metrics', metricsServer(metrics, { ...common, client, metrics: registry }));
    }
    if (added.isEmpty) return;
    if (webhooks) {
      const { WebhookServer } = await import('../webhook/webhook-server.ts');
      await this.#start(
        'webhooks',
        new WebhookServer(webhooks, { ...common, metrics: registry, webhooks: added }),
      );
    } else if (webhooks === false) {
      logger.info('webhooks are off: defaults and validation of the operator do not apply');
    } else {
      throw new UsageError(
        'webhooks were added, but the manager does not serve any',
        'Pass webhooks: { port, certDir } to Manager.create, or webhooks: false to do without.',
      );
    }
  }

  /** Probes are answered until the very end. */
  async close(): Promise<void> {
    for (const name of ['webhooks', 'metrics', 'health'] as const) await this.#open.get(name)?.close();
  }

  /** Cuts off the requests under way. */
  closeNow(): void {
    for (const server of this.#open.values()) server.closeNow();
  }

  async #start(name: ServerName, server: Listener): Promise<void> {
    this.#open.set(name, server);
    await server.open();
  }
}
