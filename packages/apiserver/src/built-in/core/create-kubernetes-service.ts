import { isIPv6 } from 'node:net';
import type { Endpoints, Service } from 'ots-kubernetes/core/v1';
import type { EndpointSlice } from 'ots-kubernetes/discovery/v1';
import { jsonEqual } from '../../json/json-equal.ts';
import { type Machinery, timestamp } from '../../registry/machinery.ts';

const name = 'kubernetes';
const namespace = 'default';
const clusterIP = '10.0.0.1';

/**
 * Stores the server's own Service `default/kubernetes` and its endpoints, or changes those of an earlier process.
 *
 * @param url the URL of the server
 */
export function createKubernetesService(machinery: Machinery, url: string): void {
  const { hostname, port: text } = new URL(url);
  const address = hostname.replaceAll(/[[\]]/g, '');
  const port = { name: 'https', port: Number(text), protocol: 'TCP' } as const;
  store(machinery, 'services', serviceOf(port.port));
  // A real server cannot write these when it listens on a loopback address; here clients find them anyway.
  store(machinery, 'endpoints', {
    apiVersion: 'v1',
    kind: 'Endpoints',
    metadata: { labels: { 'endpointslice.kubernetes.io/skip-mirror': 'true' } },
    subsets: [{ addresses: [{ ip: address }], ports: [port] }],
  });
  store(machinery, 'endpointslices', {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { generation: 1, labels: { 'kubernetes.io/service-name': name } },
    addressType: isIPv6(address) ? 'IPv6' : 'IPv4',
    endpoints: [{ addresses: [address], conditions: { ready: true } }],
    ports: [port],
  });
}

function serviceOf(targetPort: number): Service {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { labels: { component: 'apiserver', provider: 'kubernetes' } },
    spec: {
      ports: [{ name: 'https', protocol: 'TCP', port: 443, targetPort }],
      clusterIP,
      clusterIPs: [clusterIP],
      type: 'ClusterIP',
      sessionAffinity: 'None',
      ipFamilies: ['IPv4'],
      ipFamilyPolicy: 'SingleStack',
      internalTrafficPolicy: 'Cluster',
    },
    status: { loadBalancer: {} },
  };
}

function store(machinery: Machinery, plural: string, object: Service | Endpoints | EndpointSlice): void {
  const [first = '', second] = object.apiVersion.split('/');
  const [group, version] = second === undefined ? ['', first] : [first, second];
  const table = machinery.registry.find(group, version, plural)?.table;
  const key = `${namespace}/${name}`;
  const existing = table?.get(key)?.object;
  const creationTimestamp = timestamp(machinery);
  const metadata = existing?.metadata ?? {
    name,
    namespace,
    uid: machinery.random.uuid(),
    creationTimestamp,
    ...object.metadata,
  };
  const stored = { ...existing, ...object, metadata };
  if (!jsonEqual(stored, existing)) table?.put(key, stored);
}
