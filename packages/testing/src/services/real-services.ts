import { type Connection, type ServiceEndpoint, type ServiceMap, send } from 'ots-apiserver';
import type { ClientConfig } from './client-config.ts';
import { convertByServices } from './service-conversions.ts';
import { untilInEffect } from './until-in-effect.ts';

interface Configuration {
  metadata: { name: string };
  webhooks?: { name: string; clientConfig: ClientConfig }[];
}

const group = '/apis/admissionregistration.k8s.io/v1';
const collections = [`${group}/mutatingwebhookconfigurations`, `${group}/validatingwebhookconfigurations`];

/**
 * The Services of a real kube-apiserver, which cannot reach this process through one: its webhook configurations receive the URL
 * and the certificates instead.
 */
export class RealServices implements ServiceMap {
  readonly #connection: Connection;
  readonly #endpoints = new Map<string, ServiceEndpoint>();
  /** What the configurations named before, by the path of the configuration and the name of the webhook. */
  readonly #named = new Map<string, NonNullable<ClientConfig['service']>>();

  /** @param connection that of the administrator */
  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async set(service: string, endpoint: ServiceEndpoint): Promise<void> {
    this.#endpoints.set(service, endpoint);
    await this.apply();
  }

  async delete(service: string): Promise<void> {
    this.#endpoints.delete(service);
    await this.#convert();
  }

  /** Writes the endpoints to all configurations, and waits until they are in effect. To be called after configurations were installed. */
  async apply(): Promise<void> {
    if (this.#endpoints.size === 0) return;
    for (const collection of collections) {
      const { body } = await send(this.#connection, 'GET', collection);
      const { items } = body as { items: Configuration[] };
      await Promise.all(items.map((item) => this.#rewrite(`${collection}/${item.metadata.name}`, item)));
    }
    await this.#convert();
    await untilInEffect(this.#connection);
  }

  async #rewrite(path: string, { webhooks = [] }: Configuration): Promise<void> {
    const rewritten = webhooks.map((webhook) => ({
      ...webhook,
      clientConfig: this.#resolve(`${path}/${webhook.name}`, webhook.clientConfig),
    }));
    if (rewritten.every(({ clientConfig }, index) => clientConfig === webhooks[index]?.clientConfig)) return;
    await send(this.#connection, 'PATCH', path, { webhooks: rewritten }, 'application/merge-patch+json');
  }

  #resolve(id: string, config: ClientConfig): ClientConfig {
    const service = config.service ?? this.#named.get(id);
    const resolved = this.#addressOf({ ...config, ...(service && { service }) });
    if (!service || !resolved) return config;
    this.#named.set(id, service);
    return resolved;
  }

  #convert(): Promise<void> {
    return convertByServices(this.#connection, (config) => this.#addressOf(config));
  }

  /** The address instead of the Service; undefined when nothing listens for it. */
  #addressOf({ service, caBundle = '' }: ClientConfig): ClientConfig | undefined {
    const endpoint =
      service && (this.#endpoints.get(`${service.namespace}/${service.name}`) ?? this.#endpoints.get('*'));
    if (!service || !endpoint) return undefined;
    return {
      url: `${endpoint.url}${service.path ?? ''}`,
      caBundle: endpoint.ca === undefined ? caBundle : Buffer.from(endpoint.ca).toString('base64'),
    };
  }
}
