import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { type Server, createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { LocalService, ServiceEndpoint, ServiceMap } from 'ots-apiserver';
import { TestEnvironmentError } from '../errors/test-environment-error.ts';

const host = '127.0.0.1';

/** An address, and what answers there if it is this process. */
interface HandledEndpoint extends ServiceEndpoint {
  readonly handle?: RequestListener;
}

/**
 * Where the Services of a test environment listen: at a URL, or in a handler of this process. Webhook configurations and CRDs that name
 * a Service reach it there, on the embedded server and on a real one.
 */
export class TestServices implements ServiceMap {
  readonly #services: ServiceMap;
  readonly #localService: ((handler: RequestListener) => LocalService) | undefined;
  /** The servers of the handlers, by Service. */
  readonly #servers = new Map<string, Server>();

  /**
   * @param services of the control plane
   * @param localService lets a handler answer without a network. Undefined where the API server needs one.
   */
  constructor(services: ServiceMap, localService?: (handler: RequestListener) => LocalService) {
    this.#services = services;
    this.#localService = localService;
  }

  /**
   * Maps a Service to where it listens. The Service itself need not exist.
   *
   * ```ts
   * await environment.services.set('policy/policy-service', (request, response) => response.writeHead(503).end());
   * ```
   *
   * @param service `namespace/name`, or `*` for every Service without an address of its own. A manager without the option `webhooks`
   *   sets `*`.
   * @param target an address, or a handler of HTTP requests, which is then served over TLS with a certificate that the API server
   *   trusts, or without a network under a virtual clock. The path and the body are those that a webhook behind the Service receives.
   */
  async set(service: string, target: HandledEndpoint | RequestListener): Promise<void> {
    if (!isService(service)) {
      throw new TestEnvironmentError(
        `${JSON.stringify(service)} does not name a Service`,
        "Write 'namespace/name', or '*' for every other Service.",
      );
    }
    const { handle, ...endpoint } = typeof target === 'function' ? { handle: target, url: '' } : target;
    if (handle && this.#localService) {
      this.#close(service);
      const url = endpoint.url || `https://${host}`;
      await this.#services.set(service, { url, local: this.#localService(handle) });
      return;
    }
    const served = typeof target === 'function' ? await serve(target) : undefined;
    try {
      await this.#services.set(service, served?.endpoint ?? endpoint);
    } catch (error) {
      served?.server.close();
      throw error;
    }
    this.#close(service);
    if (served) this.#servers.set(service, served.server);
  }

  /** Removes the address of a Service, and stops its handler. @param service as in {@link set} */
  async delete(service: string): Promise<void> {
    await this.#services.delete(service);
    this.#close(service);
  }

  /** Stops all handlers. */
  stop(): void {
    for (const service of this.#servers.keys()) this.#close(service);
  }

  /** Requests in progress end with their connections: their handler may never answer. */
  #close(service: string): void {
    const server = this.#servers.get(service);
    this.#servers.delete(service);
    server?.close();
    server?.closeAllConnections();
  }
}

function isService(text: string): boolean {
  return text === '*' || /^[^/]+\/[^/]+$/.test(text);
}

/** Serves a handler on a free port, with a certificate of its own. */
export async function serve(
  handler: RequestListener,
): Promise<{ server: Server; endpoint: ServiceEndpoint }> {
  // Imported lazily: most tests serve nothing.
  const { selfSignedCertificate } = await import('ots-apimachinery/certificates/self-signed-certificate');
  const { cert, key } = selfSignedCertificate({ names: [host], isAuthority: true });
  const server = createServer({ cert, key }, handler).listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { server, endpoint: { url: `https://${host}:${port}`, ca: cert } };
}
