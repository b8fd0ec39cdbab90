import type { Clock } from 'ots-apimachinery/clock/clock';
import type { Service } from 'ots-kubernetes/core/v1';
import type { ExchangeResponse } from '../http/local-connection.ts';
import type { ExchangeRequest } from '../http/local-exchange.ts';
import type { BuiltInObject } from '../json/built-in-object.ts';
import type { ResourceRegistry } from '../registry/resource-registry.ts';

/** Where a Service of a cluster listens on this machine. */
export interface ServiceEndpoint {
  /** Such as `https://127.0.0.1:9443`, without a path. */
  readonly url: string;
  /**
   * The certificates in PEM to trust there. Its certificate then names the host of the URL. Without them, the `caBundle` of the
   * webhook counts, and the certificate names the Service, as in a cluster.
   */
  readonly ca?: string;
  /** Answers instead of a network. Default none. */
  readonly local?: LocalService;
}

/** A Service in this process. */
export interface LocalService {
  /** Answers the requests for the Service, with the bytes that a network would carry. */
  readonly exchange: (request: ExchangeRequest) => Promise<ExchangeResponse>;
  /** Measures how long a response takes. */
  readonly clock: Clock;
}

/** Where the Services of a cluster listen on this machine. */
export interface ServiceMap {
  /** @param service `namespace/name`, or `*` for every Service without an endpoint of its own */
  set(service: string, endpoint: ServiceEndpoint): void | Promise<void>;
  /** @param service as in {@link set} */
  delete(service: string): void | Promise<void>;
}

/** A Service and its local endpoint, or the reason why there is none. */
type Resolution = ServiceEndpoint | { readonly unreachable: string };

/** Where Services listen: the embedded server has no network with pods. */
export class ServiceEndpoints implements ServiceMap {
  readonly #endpoints: Map<string, ServiceEndpoint>;
  readonly #registry: ResourceRegistry;

  /** @param endpoints by `namespace/name` or `*` */
  constructor(registry: ResourceRegistry, endpoints = new Map<string, ServiceEndpoint>()) {
    this.#registry = registry;
    this.#endpoints = endpoints;
  }

  /**
   * Maps a Service to an endpoint on this machine. The Service itself need not exist.
   *
   * @param service `namespace/name`, or `*` for every Service without an endpoint of its own
   */
  set(service: string, endpoint: ServiceEndpoint): void {
    this.#endpoints.set(service, { ...endpoint, url: endpoint.url.replace(/\/$/, '') });
  }

  /** @param service as in {@link set} */
  delete(service: string): void {
    this.#endpoints.delete(service);
  }

  /** Finds the endpoint of a Service, or the reason of a real server why there is none. */
  resolve(namespace: string, name: string, port: number): Resolution {
    const key = `${namespace}/${name}`;
    const endpoint = this.#endpoints.get(key) ?? this.#endpoints.get('*');
    if (endpoint) return endpoint;
    const record = this.#registry.find('', 'v1', 'services')?.table.get(key);
    if (!record) return { unreachable: `service "${name}" not found` };
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is stored was decoded
    const {
      type,
      clusterIP,
      externalName,
      ports = [],
    } = (record.object as BuiltInObject<Service>).spec ?? {};
    if (type === 'ExternalName') return { url: `https://${externalName}:${port}` };
    if (type === 'ClusterIP' && clusterIP === 'None')
      return { unreachable: 'cannot route to service with ClusterIP "None"' };
    if (!ports.some((served) => served.port === port))
      return { unreachable: `no service port ${port} found for service "${name}"` };
    return {
      unreachable: `no endpoints available for service "${name}" on port ${port}: the embedded server runs no pods; map the Service ${key} to an address of this machine`,
    };
  }
}
