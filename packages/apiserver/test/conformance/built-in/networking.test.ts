import { expect, test } from 'vitest';
import { type Change, askCreates, askUpdates } from '../../support/kind-cases.ts';
import { onEachServer } from '../../support/on-each-server.ts';
import { asRecorded } from '../../support/recorded.ts';

const networking = '/apis/networking.k8s.io/v1';
const service = { name: 's', port: { number: 80 } };

/** Cases that set `spec` of a bare object. */
function specs(values: Record<string, unknown>): Record<string, Change> {
  return Object.fromEntries(
    Object.entries(values).map(([name, spec]) => [
      name,
      (object: any) => void Object.assign(object, { spec }),
    ]),
  );
}

function paths(...items: unknown[]): unknown {
  return { rules: [{ http: { paths: items } }] };
}

function pathTo(backend: unknown): unknown {
  return { path: '/', pathType: 'Prefix', backend };
}

const ingresses = specs({
  'a default backend': { defaultBackend: { service } },
  'a named port': { defaultBackend: { service: { name: 's', port: { name: 'http' } } } },
  nothing: {},
  'an empty backend': { defaultBackend: {} },
  'a service without a port': { defaultBackend: { service: { name: 's' } } },
  'a service with two ports': { defaultBackend: { service: { name: 's', port: { name: 'a', number: 1 } } } },
  'a service without a name': { defaultBackend: { service: { port: { number: 80 } } } },
  'a service with a bad name': { defaultBackend: { service: { ...service, name: 'A.b' } } },
  'a service whose name begins with a digit': { defaultBackend: { service: { ...service, name: '1a' } } },
  'a service with dots': { defaultBackend: { service: { ...service, name: 'a.b' } } },
  'bad names of ports': {
    ...(paths(
      ...['', '-a', 'a--b', 'A', '80', 'a-name-that-is-too-long'].map((name) =>
        pathTo({ service: { name: 's', port: { name } } }),
      ),
    ) as object),
  },
  'bad numbers of ports': paths(
    ...[-1, 0, 65536].map((number) => pathTo({ service: { name: 's', port: { number } } })),
  ),
  'a resource': { defaultBackend: { resource: { apiGroup: 'a.b', kind: 'K', name: 'n' } } },
  'a resource without a group': { defaultBackend: { resource: { kind: 'K', name: 'n' } } },
  'a resource with faults': { defaultBackend: { resource: { apiGroup: 'A', kind: 'a/b', name: 'a%' } } },
  'an empty resource': { defaultBackend: { resource: {} } },
  'a resource and a service': { defaultBackend: { service, resource: { kind: 'K', name: 'n' } } },
  'a rule without paths': { rules: [{ host: 'a.b' }] },
  'a rule with no paths': { rules: [{ http: { paths: [] } }] },
  'an empty rule for HTTP': { rules: [{ http: {} }] },
  'paths of every type': paths(
    { path: '/a', pathType: 'Exact', backend: { service } },
    { path: '/', pathType: 'Prefix', backend: { service } },
    { pathType: 'ImplementationSpecific', backend: { service } },
    { path: '/(.*)//x', pathType: 'ImplementationSpecific', backend: { service } },
  ),
  'a path without a type': paths({ path: '/a', backend: { service } }),
  'a path of another type': paths({ path: '/a', pathType: 'Regex', backend: { service } }),
  'a path without a backend': paths({ path: '/a', pathType: 'Exact' }),
  'bad exact paths': paths(
    ...['', 'a', '//', '/a//b', '/./', '/a/../b', '/%2F', '/%2f', '/..', '/a/.'].map((path) => ({
      path,
      pathType: 'Exact',
      backend: { service },
    })),
  ),
  'a bad specific path': paths({ path: 'a', pathType: 'ImplementationSpecific', backend: { service } }),
  hosts: {
    rules: ['a.example.com', '*.example.com', ''].map((host) => ({ host })),
  },
  'bad hosts': {
    rules: ['10.0.0.1', '::1', 'A.b', 'a_b', '*', '*.', '*a.b', 'a.*.b', '*.A', 'x'.repeat(254), '-'].map(
      (host) => ({ host }),
    ),
  },
  TLS: { defaultBackend: { service }, tls: [{ hosts: ['a.b', '*.a.b'], secretName: 's' }, {}] },
  'TLS with faults': {
    defaultBackend: { service },
    tls: [{ hosts: ['A', '*', ''], secretName: 'A_b' }],
  },
  'a class': { defaultBackend: { service }, ingressClassName: 'nginx' },
  'a bad class': { defaultBackend: { service }, ingressClassName: 'a b' },
  'an empty class': { defaultBackend: { service }, ingressClassName: '' },
});
const ingressAnnotations: Record<string, Change> = {
  'a class as annotation': (ingress) =>
    void (ingress.metadata.annotations = { 'kubernetes.io/ingress.class': 'nginx' }),
  'the same class twice': (ingress) => {
    ingress.metadata.annotations = { 'kubernetes.io/ingress.class': 'nginx' };
    ingress.spec.ingressClassName = 'nginx';
  },
  'two classes': (ingress) => {
    ingress.metadata.annotations = { 'kubernetes.io/ingress.class': 'nginx' };
    ingress.spec.ingressClassName = 'other';
  },
  'a status': (ingress) => void (ingress.status = { loadBalancer: { ingress: [{ ip: '1.2.3.4' }] } }),
};
const loadBalancers: Record<string, Change> = Object.fromEntries(
  Object.entries({
    'an address': [{ ip: '10.0.0.1' }, { hostname: 'a.example.com' }, { ip: '2001:db8::1' }],
    'a port': [{ ip: '10.0.0.1', ports: [{ port: 80, protocol: 'TCP' }] }],
    'bad addresses': ['x', '10.0.0.01', '::ffff:1.2.3.4', '1.2.3', '::1::', ''].map((ip) => ({ ip })),
    'bad names of hosts': ['10.0.0.1', 'A', '*.a', '::1'].map((hostname) => ({ hostname })),
    'an address that is written in another way': [{ ip: '2001:DB8:0::1' }],
    nothing: [],
  }).map(([name, ingress]) => [
    name,
    (object: any) => {
      object.metadata.labels = { from: 'status' };
      object.spec = {};
      object.status = { loadBalancer: { ingress } };
    },
  ]),
);

function peer(value: unknown): unknown {
  return { podSelector: {}, ingress: [{ from: [value] }] };
}

function ports(...items: unknown[]): unknown {
  return { podSelector: {}, ingress: [{ ports: items }] };
}

const policies = specs({
  'everything for some pods': { podSelector: { matchLabels: { a: 'b' } } },
  'no selector': {},
  'rules for what leaves': { podSelector: {}, egress: [{}] },
  types: { podSelector: {}, policyTypes: ['Egress'] },
  'no types': { podSelector: {}, policyTypes: [] },
  'a type twice': { podSelector: {}, policyTypes: ['Ingress', 'Ingress'] },
  'another type': { podSelector: {}, policyTypes: ['Sideways'] },
  'three types': { podSelector: {}, policyTypes: ['Ingress', 'Egress', 'Ingress'] },
  'a bad selector': {
    podSelector: {
      matchLabels: { 'a b': 'c d' },
      matchExpressions: [
        { key: 'a', operator: 'In' },
        { key: 'a', operator: 'NotIn', values: [] },
        { key: 'a', operator: 'Exists', values: ['x'] },
        { key: 'a', operator: 'Gt', values: ['1'] },
        { key: '/', operator: 'In', values: ['!', 'b', '?'] },
        {},
      ],
    },
  },
  ports: ports({}, { port: 80 }, { port: 'http' }, { protocol: 'UDP', port: 1, endPort: 2 }),
  'bad ports': ports(
    { port: 0 },
    { port: 65536 },
    { port: '' },
    { port: 'a_b' },
    { port: '80' },
    { protocol: 'ICMP' },
    { protocol: '' },
    { endPort: 2 },
    { port: 5, endPort: 4 },
    { port: 'a', endPort: 4 },
    { port: 5, endPort: 70000 },
    { port: 0, endPort: 0 },
  ),
  'an empty peer': peer({}),
  'pods of namespaces': peer({ podSelector: {}, namespaceSelector: { matchLabels: { a: 'b' } } }),
  'bad selectors of a peer': peer({
    podSelector: { matchLabels: { '!': 'b' } },
    namespaceSelector: { matchExpressions: [{ key: 'a', operator: 'x' }] },
  }),
  addresses: peer({ ipBlock: { cidr: '10.0.0.0/8', except: ['10.1.0.0/16'] } }),
  'addresses and pods': peer({ podSelector: {}, ipBlock: { cidr: '10.0.0.0/8' } }),
  'addresses of version 6': peer({ ipBlock: { cidr: '2001:DB8::/32', except: ['2001:db8:1::/48'] } }),
  'no addresses': peer({ ipBlock: {} }),
  'bad ranges': {
    podSelector: {},
    egress: [
      {
        to: [
          'x',
          '10.0.0.0',
          '10.0.0.0/33',
          '10.0.0.1/8',
          '010.0.0.0/8',
          '10.0.0.0/08',
          '::ffff:1.2.3.0/120',
        ].map((cidr) => ({ ipBlock: { cidr } })),
      },
    ],
  },
  'bad exceptions': peer({
    ipBlock: {
      cidr: '10.0.0.0/8',
      except: ['x', '10.0.0.0/8', '11.0.0.0/16', '10.0.0.0/4', '2001:db8::/32', '10.1.0.1/16', ''],
    },
  }),
  'exceptions from a bad range': peer({ ipBlock: { cidr: 'x', except: ['10.0.0.0/8'] } }),
});

const parameters = { apiGroup: 'a.b', kind: 'K', name: 'n' };
const classes = specs({
  'a controller': { controller: 'a.b/c' },
  'no controller': {},
  'a controller of a long name': { controller: `a.b/${'c'.repeat(250)}` },
  'a controller without a domain': { controller: 'nginx' },
  'a controller of nothing': { controller: 'a.b/' },
  'a controller of an empty domain': { controller: '/a' },
  'a controller of a bad domain': { controller: 'A_b/c d' },
  parameters: { controller: 'a.b/c', parameters },
  'parameters in a namespace': {
    controller: 'a.b/c',
    parameters: { ...parameters, scope: 'Namespace', namespace: 'd' },
  },
  'parameters in no namespace': { controller: 'a.b/c', parameters: { ...parameters, scope: 'Namespace' } },
  'parameters in a bad namespace': {
    controller: 'a.b/c',
    parameters: { ...parameters, scope: 'Namespace', namespace: 'A b' },
  },
  'parameters of the cluster in a namespace': {
    controller: 'a.b/c',
    parameters: { ...parameters, namespace: 'd' },
  },
  'parameters of another scope': { controller: 'a.b/c', parameters: { ...parameters, scope: 'World' } },
  'empty parameters': { controller: 'a.b/c', parameters: {} },
  'bad parameters': { controller: 'a.b/c', parameters: { apiGroup: 'A', kind: '/', name: '..' } },
});

const addressCases: Record<string, Change> = Object.fromEntries([
  ...['10.0.0.7', '2001:db8::7', '10.0.0.07', '2001:DB8::7', '2001:db8:0:0::7', '::ffff:1.2.3.4', 'x'].map(
    (name) => [`the address ${name}`, (object: any) => void (object.metadata.name = name)] as const,
  ),
  ...Object.entries(
    specs({
      'a parent of the core group': { parentRef: { resource: 'services', name: 's', namespace: 'n' } },
      'an empty parent': { parentRef: {} },
      'no parent': {},
      'a bad parent': { parentRef: { group: 'A', resource: 'a/b', name: '%', namespace: '..' } },
    }),
  ),
]);

const ranges: Record<string, Change> = specs({
  'no ranges': {},
  ...Object.fromEntries(
    [
      ['10.1.0.0/16'],
      ['2001:db8::/64'],
      ['10.1.0.0/16', '2001:db8::/64'],
      ['10.1.0.0/16', '10.2.0.0/16'],
      ['10.1.0.0/16', '10.2.0.0/16', '10.3.0.0/16'],
      ['10.1.0.1/16'],
      ['10.1.0.0'],
      ['x', '2001:DB8::/64'],
      ['10.01.0.0/16'],
    ].map((cidrs) => [`the ranges ${cidrs.join(' ')}`, { cidrs }]),
  ),
});

/** The kinds of the group, each with the object that its cases change. */
const kinds: {
  plural: string;
  isNamespaced?: true;
  name?: string;
  spec: unknown;
  cases: Record<string, Change>;
  statuses?: Record<string, Change>;
}[] = [
  {
    plural: 'ingresses',
    isNamespaced: true,
    spec: { defaultBackend: { service } },
    cases: { ...ingresses, ...ingressAnnotations },
    statuses: loadBalancers,
  },
  { plural: 'networkpolicies', isNamespaced: true, spec: { podSelector: {} }, cases: policies },
  { plural: 'ingressclasses', spec: { controller: 'a.b/c' }, cases: classes },
  {
    plural: 'ipaddresses',
    name: '10.7.0.1',
    spec: { parentRef: { group: 'a.b', resource: 'x', name: 'y' } },
    cases: addressCases,
  },
  { plural: 'servicecidrs', spec: { cidrs: ['10.7.0.0/24'] }, cases: ranges },
];
const objects = kinds.map(({ isNamespaced, name = 'case', spec, ...kind }) => ({
  ...kind,
  path: `${networking}${isNamespaced ? '/namespaces/default' : ''}/${kind.plural}`,
  base: { metadata: { name }, spec },
}));

onEachServer('networking', (server) => {
  test.each(objects)('$plural that are created', async ({ plural, ...kind }) => {
    const outcomes = await askCreates(server.session, kind);
    await expect(asRecorded(outcomes)).toMatchFileSnapshot(`../recorded/networking/${plural}.yaml`);
  });

  test.each(objects)('$plural that are changed', async ({ plural, ...kind }) => {
    const outcomes = await askUpdates(server.session, kind);
    await expect(asRecorded(outcomes)).toMatchFileSnapshot(`../recorded/networking/${plural}-updates.yaml`);
  });

  test.each(objects.filter(({ statuses }) => statuses))(
    'the status of $plural',
    async ({ plural, path, base, statuses = {} }) => {
      const object = { ...base, metadata: { name: 'with-status' } };
      const outcomes = await askUpdates(server.session, { path, base: object, cases: statuses }, '/status');
      await expect(asRecorded(outcomes)).toMatchFileSnapshot(`../recorded/networking/${plural}-status.yaml`);
    },
  );
});
