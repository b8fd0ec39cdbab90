import type { Duplex } from 'node:stream';
import { Service } from 'ots-kubernetes/core/v1';
import { EndpointSlice } from 'ots-kubernetes/discovery/v1';
import type { ExchangeRequest, ExchangeResponse } from 'ots-apiserver';
import type { Cache } from 'ots-runtime';
import { exchangeOver } from '../../services/local-exchange.ts';
import { ClusterDns } from './cluster-dns.ts';
import { ConnectionError } from './connection-error.ts';
import { readyEndpoints } from './ready-endpoints.ts';
import { fetchBy } from './fetch-by.ts';
import { localSocket } from './local-socket.ts';
import type { Network } from './network.ts';
import { portOf } from './port-of.ts';

/** Who sends an HTTP request to which pod. */
export interface RequestToPod {
  readonly client: string;
  readonly url: URL;
  readonly namespace: string;
  readonly pod: string;
}

/** Sends a request to a pod, when a simulation says so. */
export type Carry = (
  about: RequestToPod,
  request: ExchangeRequest,
  exchange: (request: ExchangeRequest) => Promise<ExchangeResponse>,
) => Promise<ExchangeResponse>;

/** A pod that a client can connect to. */
export interface Destination {
  readonly namespace: string;
  readonly name: string;
  listensOn(port: number): boolean;
  /** @throws {Error} if nothing listens on the port */
  connect(port: number): Duplex;
}

/** What the network consists of. */
export interface NetworkParts {
  /** It has Services and EndpointSlices. */
  readonly cache: Cache;
  /** A number in [0, 1). */
  readonly random: () => number;
  readonly carry: Carry | undefined;
  /** The pods with an address: several where pods have the network of their node. */
  readonly podsAt: (address: string) => readonly Destination[];
}

interface Place {
  readonly pod: Destination;
  readonly port: number;
  readonly address: string;
}

/** Leads connections to simulated pods, as DNS, kube-proxy and the network of a cluster do. */
export class ClusterNetwork {
  readonly #parts: NetworkParts;
  readonly #dns: ClusterDns;

  constructor(parts: NetworkParts) {
    this.#parts = parts;
    this.#dns = new ClusterDns(parts.cache);
    parts.cache.add(Service);
    parts.cache.add(EndpointSlice);
  }

  /** What a client reaches. @param client who it is, for the traces of a simulation @param namespace where names without one belong */
  from(client: string, namespace: string): Network {
    return {
      fetch: fetchBy((url, request) => this.#exchange({ client, url }, namespace, request)),
      connect: (port, host) => localSocket(() => this.#connect(this.#find(host, port, namespace))),
    };
  }

  async #exchange(
    { client, url }: Pick<RequestToPod, 'client' | 'url'>,
    from: string,
    request: ExchangeRequest,
  ): Promise<ExchangeResponse> {
    const place = this.#find(url.hostname, portOf(url), from);
    const exchange = async (sent: ExchangeRequest) => exchangeOver(this.#connect(place), sent);
    const { carry } = this.#parts;
    if (!carry) return exchange(request);
    const { namespace, name: pod } = place.pod;
    return carry({ client, url, namespace, pod }, request, exchange);
  }

  /** @throws {ConnectionError} when nothing listens there */
  #connect({ pod, port, address }: Place): Duplex {
    if (pod.listensOn(port)) return pod.connect(port);
    throw ConnectionError.refused(address, port);
  }

  /** @throws {ConnectionError} for a name or address without a pod */
  #find(host: string, port: number, namespace: string): Place {
    const address = this.#choose(this.#dns.lookup(host, namespace));
    const behind = this.#behindService(address, port) ?? { address, port };
    const pods = this.#parts.podsAt(behind.address);
    const pod = pods.find((found) => found.listensOn(behind.port)) ?? pods[0];
    if (!pod) throw ConnectionError.unreachable(behind.address, behind.port);
    return { pod, ...behind };
  }

  /** The pod to which kube-proxy leads a connection; undefined for what is not the address of a Service. */
  #behindService(address: string, port: number): { address: string; port: number } | undefined {
    const { cache } = this.#parts;
    const service = cache.list(Service).find(({ spec }) => spec?.clusterIPs?.includes(address));
    if (!service) return undefined;
    const name = service.spec?.ports?.find((known) => known.port === port)?.name;
    const places = readyEndpoints(cache, service).flatMap((endpoint) => {
      const target = endpoint.ports.get(name ?? '');
      return target === undefined ? [] : [{ address: endpoint.address, port: target }];
    });
    if (places.length === 0) throw ConnectionError.refused(address, port);
    return this.#choose(places);
  }

  #choose<T>(items: readonly T[]): T {
    return items[Math.floor(this.#parts.random() * items.length)]!;
  }
}
