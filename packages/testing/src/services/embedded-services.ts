import type { ApiServer, Connection, ServiceEndpoint, ServiceMap } from 'ots-apiserver';
import { convertByServices } from './service-conversions.ts';

/** The Services of the embedded server, which resolves those of webhook configurations itself. */
export class EmbeddedServices implements ServiceMap {
  readonly #server: ApiServer;
  readonly #connection: Connection;

  /** @param connection that of the administrator */
  constructor(server: ApiServer, connection: Connection) {
    this.#server = server;
    this.#connection = connection;
  }

  async set(service: string, endpoint: ServiceEndpoint): Promise<void> {
    this.#server.services.set(service, endpoint);
    await this.apply();
  }

  async delete(service: string): Promise<void> {
    this.#server.services.delete(service);
    await this.apply();
  }

  /** Lets Services convert that lead somewhere. To be called after definitions were installed. */
  async apply(): Promise<void> {
    const { services } = this.#server;
    await convertByServices(this.#connection, (clientConfig) => {
      const { namespace = '', name = '', port = 443 } = clientConfig.service ?? {};
      return 'url' in services.resolve(namespace, name, port) ? clientConfig : undefined;
    });
  }
}
