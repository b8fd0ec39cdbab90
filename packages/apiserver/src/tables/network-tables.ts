import type { JsonObject } from '../json/json-object.ts';
import { formatLabels, formatSelector } from '../selectors/format-selector.ts';
import { at, listAt, numberAt, objectAt, textAt } from '../json/value-at.ts';
import { ageOf, nameOf } from './common-cells.ts';
import { type TableKind, columnsOf } from './table-kind.ts';

export const serviceTable: TableKind = {
  columns: columnsOf('Name:name, Type, Cluster-IP, External-IP, Port(s), Age, Selector+'),
  cells: (object, now) => [
    nameOf(object),
    textAt(object, 'spec', 'type'),
    listAt(object, 'spec', 'clusterIPs')[0] ?? '<none>',
    externalIp(object),
    listAt(object, 'spec', 'ports').map(formatPort).join(',') || '<none>',
    ageOf(object, now),
    formatLabels(objectAt(object, 'spec', 'selector')),
  ],
};

export const ingressTable: TableKind = {
  columns: columnsOf('Name:name, Class, Hosts, Address, Ports, Age'),
  cells: (object, now) => [
    nameOf(object),
    at(object, 'spec', 'ingressClassName') ?? '<none>',
    formatHosts(listAt(object, 'spec', 'rules')),
    loadBalancer(object),
    listAt(object, 'spec', 'tls').length > 0 ? '80, 443' : '80',
    ageOf(object, now),
  ],
};

export const ingressClassTable: TableKind = {
  columns: columnsOf('Name:name, Controller, Parameters, Age'),
  cells(object, now) {
    const parameters = at(object, 'spec', 'parameters');
    const group = textAt(parameters, 'apiGroup');
    const kind = `${textAt(parameters, 'kind')}${group === '' ? '' : `.${group}`}`;
    const isDefault =
      at(object, 'metadata', 'annotations', 'ingressclass.kubernetes.io/is-default-class') === 'true';
    return [
      `${nameOf(object)}${isDefault ? ' (default)' : ''}`,
      textAt(object, 'spec', 'controller'),
      parameters === undefined ? '<none>' : `${kind}/${textAt(parameters, 'name')}`,
      ageOf(object, now),
    ];
  },
};

export const networkPolicyTable: TableKind = {
  columns: columnsOf('Name:name, Pod-Selector, Age'),
  cells: (object, now) => [
    nameOf(object),
    formatSelector(at(object, 'spec', 'podSelector')) || '<none>',
    ageOf(object, now),
  ],
};

export const endpointsTable: TableKind = {
  columns: columnsOf('Name:name, Endpoints, Age'),
  cells: (object, now) => [nameOf(object), formatEndpoints(object), ageOf(object, now)],
};

export const endpointSliceTable: TableKind = {
  columns: columnsOf('Name:name, AddressType, Ports, Endpoints, Age'),
  cells(object, now) {
    const ports = listAt(object, 'ports').map((port) => textAt(port, 'port') || textAt(port, 'name') || '*');
    const addresses = listAt(object, 'endpoints').flatMap((endpoint) =>
      listAt(endpoint, 'addresses').map(String),
    );
    return [
      nameOf(object),
      textAt(object, 'addressType'),
      firstThree(ports) || '<unset>',
      firstThree(addresses) || '<unset>',
      ageOf(object, now),
    ];
  },
};

function externalIp(service: JsonObject): string {
  const type = textAt(service, 'spec', 'type');
  const external = listAt(service, 'spec', 'externalIPs').map(String);
  if (type === 'ClusterIP' || type === 'NodePort') return external.join(',') || '<none>';
  if (type === 'ExternalName') return textAt(service, 'spec', 'externalName');
  if (type !== 'LoadBalancer') return '<unknown>';
  return [loadBalancer(service), ...external].filter((text) => text !== '').join(',') || '<pending>';
}

/** The addresses of a load balancer, without duplicates. */
function loadBalancer(object: JsonObject): string {
  const addresses = listAt(object, 'status', 'loadBalancer', 'ingress').map(
    (ingress) => textAt(ingress, 'ip') || textAt(ingress, 'hostname'),
  );
  return [...new Set(addresses.filter((address) => address !== ''))].toSorted().join(',');
}

function formatPort(port: unknown): string {
  const nodePort = numberAt(port, 'nodePort');
  return `${numberAt(port, 'port')}${nodePort > 0 ? `:${nodePort}` : ''}/${textAt(port, 'protocol')}`;
}

function formatHosts(rules: readonly unknown[]): string {
  const hosts: string[] = [];
  let more = false;
  for (const rule of rules) {
    const host = textAt(rule, 'host');
    if (hosts.length === 3) more = true;
    if (!more && host !== '') hosts.push(host);
  }
  if (hosts.length === 0) return '*';
  return more ? `${hosts.join(',')} + ${rules.length - 3} more...` : hosts.join(',');
}

function formatEndpoints(endpoints: JsonObject): string {
  const subsets = listAt(endpoints, 'subsets');
  if (subsets.length === 0) return '<none>';
  return firstThree(
    subsets.flatMap((subset) => {
      const ips = listAt(subset, 'addresses').map((address) => textAt(address, 'ip'));
      const ports = listAt(subset, 'ports').map((port) => numberAt(port, 'port'));
      return ports.length === 0
        ? ips
        : ports.flatMap((port) => ips.map((ip) => `${ip.includes(':') ? `[${ip}]` : ip}:${port}`));
    }),
  );
}

function firstThree(texts: readonly string[]): string {
  const shown = texts.slice(0, 3).join(',');
  return texts.length > 3 ? `${shown} + ${texts.length - 3} more...` : shown;
}
