import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { outcomeOf } from '../../support/kind-cases.ts';
import { onBothServers } from '../../support/on-each-server.ts';

const some = (fields: Record<string, fc.Arbitrary<unknown>>) => fc.record(fields, { requiredKeys: [] });
const oneOf = (...values: unknown[]) => fc.constantFrom(...values);
const listOf = (item: fc.Arbitrary<unknown>, maxLength = 3) => fc.array(item, { maxLength });
const namespaced = (plural: string) => `/api/v1/namespaces/default/${plural}`;

const amount = oneOf('1', '0', '-1', '1.5', '500m', '2Gi', '1024Mi', '3e3');
const amounts = fc.dictionary(
  fc.constantFrom('cpu', 'memory', 'pods', 'storage', 'requests.cpu', 'limits.memory', 'a.b/c', 'foo', '-x'),
  amount,
  { minKeys: 1, maxKeys: 3 },
);

const service = some({
  type: oneOf('ClusterIP', 'NodePort', 'LoadBalancer', 'ExternalName', '', 'X'),
  clusterIP: oneOf('', 'None', '10.0.0.12', 'x'),
  ports: listOf(
    some({
      name: oneOf('a', 'b', 'A', ''),
      port: oneOf(80, 81, 0),
      targetPort: oneOf(0, 'http', 'A-', 8080),
      protocol: oneOf('TCP', 'UDP', '', 'X'),
      nodePort: oneOf(0, 30_012, 30_013),
      appProtocol: oneOf('http', '-'),
    }),
  ),
  selector: oneOf({}, { a: 'b' }, { '-': 'c' }),
  externalName: oneOf('a.b', 'A', ''),
  externalIPs: listOf(oneOf('1.2.3.4', '127.0.0.1', 'x', '2001:DB8::1'), 2),
  externalTrafficPolicy: oneOf('Local', 'Cluster', '', 'X'),
  internalTrafficPolicy: oneOf('Local', 'Cluster', 'X'),
  healthCheckNodePort: oneOf(0, 30_014),
  ipFamilies: listOf(oneOf('IPv4', 'IPv6', 'X'), 2),
  ipFamilyPolicy: oneOf('SingleStack', 'PreferDualStack', 'RequireDualStack', 'X'),
  sessionAffinity: oneOf('None', 'ClientIP', '', 'X'),
  sessionAffinityConfig: oneOf({}, { clientIP: {} }, { clientIP: { timeoutSeconds: 0 } }),
  allocateLoadBalancerNodePorts: fc.boolean(),
  loadBalancerClass: oneOf('a/b', '-'),
  loadBalancerSourceRanges: listOf(oneOf('10.0.0.0/8', '10.0.0.1/8', 'x'), 2),
  publishNotReadyAddresses: fc.boolean(),
  trafficDistribution: oneOf('PreferClose', 'X'),
});

const secret = some({
  type: oneOf(
    'Opaque',
    'kubernetes.io/tls',
    'kubernetes.io/basic-auth',
    'kubernetes.io/ssh-auth',
    'kubernetes.io/dockercfg',
    'x',
  ),
  immutable: fc.boolean(),
  data: fc.dictionary(
    fc.constantFrom('a', 'username', 'tls.crt', 'ssh-privatekey', '.dockercfg', 'a b', '..a'),
    oneOf('', 'eA==', 'e30='),
    { maxKeys: 3 },
  ),
  stringData: fc.dictionary(fc.constantFrom('a', 'tls.key', 'password', '/'), oneOf('', 'x'), {
    maxKeys: 2,
  }),
});

const limits = some({
  spec: fc.record({
    limits: fc.array(
      fc.record(
        {
          type: oneOf('Container', 'Pod', 'PersistentVolumeClaim', 'X'),
          min: amounts,
          max: amounts,
          default: amounts,
          defaultRequest: amounts,
          maxLimitRequestRatio: amounts,
        },
        { requiredKeys: ['type'] },
      ),
      { minLength: 1, maxLength: 2 },
    ),
  }),
});

const quota = some({
  spec: some({
    hard: amounts,
    scopes: fc.array(oneOf('BestEffort', 'NotBestEffort', 'Terminating', 'PriorityClass', 'X'), {
      minLength: 1,
      maxLength: 2,
    }),
  }),
});

const claim = some({
  spec: some({
    accessModes: listOf(oneOf('ReadWriteOnce', 'ReadWriteOncePod', 'X'), 2),
    resources: some({ requests: amounts, limits: amounts }),
    storageClassName: oneOf('', 'a', 'A_'),
    volumeMode: oneOf('Block', 'X'),
    dataSource: oneOf({ kind: 'PersistentVolumeClaim', name: 'a' }, { kind: 'X', name: 'b' }),
    dataSourceRef: oneOf(
      { kind: 'X', name: 'b', apiGroup: 'c.d' },
      { kind: 'PersistentVolumeClaim', name: 'a' },
    ),
  }),
});

const slice = some({
  addressType: oneOf('IPv4', 'IPv6', 'FQDN'),
  endpoints: listOf(
    fc.record(
      {
        addresses: listOf(oneOf('1.2.3.4', 'fd00::1', 'a.b', '::1', 'x', '01.2.3.4')),
        nodeName: oneOf('n', 'N'),
        hostname: oneOf('h', 'h.i'),
        conditions: some({ ready: fc.boolean() }),
      },
      { requiredKeys: ['addresses'] },
    ),
  ),
  ports: listOf(some({ name: oneOf('', 'a', 'A'), port: oneOf(80, 0), protocol: oneOf('TCP', 'X') })),
});

const kinds: Record<string, { path: string; objects: fc.Arbitrary<object> }> = {
  services: { path: namespaced('services'), objects: fc.record({ spec: service }) },
  secrets: { path: namespaced('secrets'), objects: secret },
  'limit ranges': { path: namespaced('limitranges'), objects: limits },
  'resource quotas': { path: namespaced('resourcequotas'), objects: quota },
  claims: { path: namespaced('persistentvolumeclaims'), objects: claim },
  'endpoint slices': {
    path: '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices',
    objects: slice,
  },
};

onBothServers('random objects of core kinds', (servers) => {
  test.each(Object.keys(kinds))('%s', { timeout: 120_000 }, async (kind) => {
    const { path = '', objects = fc.constant({}) } = kinds[kind] ?? {};
    await fc.assert(
      fc.asyncProperty(objects, async (fields) => {
        const body = { ...fields, metadata: { name: 'random' } };
        const answers = servers.map(({ session }) => session.post(`${path}?dryRun=All`, body));
        const [embedded, real] = (await Promise.all(answers)).map((answer) => masked(outcomeOf(answer)));
        expect(embedded).toStrictEqual(real);
      }),
      { numRuns: 300 },
    );
  });
});

/** An outcome without the addresses and ports that a server chooses. Requested ones are in the lower part of the ranges. */
function masked(outcome: unknown): unknown {
  const text = JSON.stringify(outcome)
    .replaceAll(/"10\.0\.0\.(0|1[7-9]|[2-9]\d|[12]\d\d)"/g, '"<address>"')
    .replaceAll(/"((?:n|healthCheckN)odePort)":(?!3001[234]\b)\d+/g, '"$1":"<port>"');
  return JSON.parse(text);
}
