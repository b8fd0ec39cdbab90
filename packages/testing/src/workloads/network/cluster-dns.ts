import { isIP } from 'node:net';
import { Service } from 'ots-kubernetes/core/v1';
import type { Cache } from 'ots-runtime';
import { isHeadless } from '../endpoints/service-pods.ts';
import { ConnectionError } from './connection-error.ts';
import { readyEndpoints } from './ready-endpoints.ts';

const domain = 'svc.cluster.local';
/** How many names of type ExternalName may lead from one to the next. */
const maxAliases = 8;

/** Where a name leads, as the DNS of a cluster answers (https://kubernetes.io/docs/concepts/services-networking/dns-pod-service/). */
export class ClusterDns {
  readonly #cache: Cache;

  constructor(cache: Cache) {
    this.#cache = cache;
  }

  /**
   * @param host an address, or a name as a client in the namespace writes it, such as `web`, `web.shop` or `db-0.db.shop.svc`
   * @returns at least one address of a Service or of pods
   * @throws {ConnectionError} for a name that leads nowhere
   */
  lookup(host: string, namespace: string): readonly string[] {
    if (isIP(host) !== 0) return [host];
    const name = host.toLowerCase();
    const names = name.endsWith('.')
      ? [name.slice(0, -1)]
      : [`${name}.${namespace}.${domain}`, `${name}.${domain}`, `${name}.cluster.local`, name];
    for (const candidate of names) {
      const addresses = this.#addressesOf(candidate, maxAliases);
      if (addresses.length > 0) return addresses;
    }
    throw ConnectionError.notFound(host);
  }

  #addressesOf(name: string, aliases: number): readonly string[] {
    if (!name.endsWith(`.${domain}`) || aliases === 0) return [];
    const labels = name.slice(0, -domain.length - 1).split('.');
    const [namespace = '', service = '', hostname] = labels.toReversed();
    const found = labels.length <= 3 && this.#cache.get(Service, { name: service, namespace });
    if (!found) return [];
    const { type, externalName = '', clusterIP = '' } = found.spec ?? {};
    if (type === 'ExternalName') return this.#addressesOf(externalName, aliases - 1);
    if (hostname === undefined && !isHeadless(found)) return [clusterIP];
    return readyEndpoints(this.#cache, found)
      .filter((endpoint) => hostname === undefined || endpoint.hostname === hostname)
      .map(({ address }) => address);
  }
}
