import { Service } from 'ots-kubernetes/core/v1';
import type { Cache } from 'ots-runtime';
import { type CachedService, isHeadless } from '../../endpoints/service-pods.ts';
import type { CachedPod } from '../../pods/pod-state.ts';

/**
 * The environment variables by which a container finds Services: those of its namespace unless `enableServiceLinks` is false, and that
 * of the API server (https://kubernetes.io/docs/concepts/services-networking/service/#environment-variables).
 *
 * @param cache has the Services
 */
export function serviceVariables(cache: Cache, { metadata, spec }: CachedPod): ReadonlyMap<string, string> {
  const { namespace } = metadata;
  const apiServer = cache.get(Service, { name: 'kubernetes', namespace: 'default' });
  const linked = spec?.enableServiceLinks === false ? [] : cache.list(Service, { namespace });
  return new Map([...(apiServer ? [apiServer] : []), ...linked].flatMap(variablesOf));
}

function variablesOf(service: CachedService): [name: string, value: string][] {
  const { clusterIP = '', ports = [] } = service.spec ?? {};
  const [first] = ports;
  if (isHeadless(service) || !first) return [];
  const name = variableOf(service.metadata.name ?? '');
  return [
    [`${name}_SERVICE_HOST`, clusterIP],
    [`${name}_SERVICE_PORT`, `${first.port}`],
    ...ports.flatMap(({ name: port, port: number }): [string, string][] =>
      port ? [[`${name}_SERVICE_PORT_${variableOf(port)}`, `${number}`]] : [],
    ),
    [`${name}_PORT`, urlOf(first, clusterIP)],
    ...ports.flatMap((port): [string, string][] => {
      const { protocol = 'TCP', port: number } = port;
      const prefix = `${name}_PORT_${number}_${protocol}`;
      return [
        [prefix, urlOf(port, clusterIP)],
        [`${prefix}_PROTO`, protocol.toLowerCase()],
        [`${prefix}_PORT`, `${number}`],
        [`${prefix}_ADDR`, clusterIP],
      ];
    }),
  ];
}

function variableOf(name: string): string {
  return name.replaceAll('-', '_').toUpperCase();
}

function urlOf(
  { protocol = 'TCP', port }: { readonly protocol?: string | undefined; readonly port: number },
  address: string,
): string {
  const host = address.includes(':') ? `[${address}]` : address;
  return `${protocol.toLowerCase()}://${host}:${port}`;
}
