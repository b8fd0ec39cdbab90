import fc from 'fast-check';
import { expect, test } from 'vitest';
import { OtsError } from '../../../src/errors/ots-error.ts';
import { type JsonObject } from '../../../src/olm/bundle/json.ts';
import { readInput } from '../../../src/olm/generate/read-input.ts';
import { base, binding, bundleOf, crd, deployment, object, role, yaml } from './inputs.ts';

const service = (spec: object = {}) =>
  object('v1', 'Service', 'bell-service', {
    spec: { selector: { app: 'captain' }, ports: [{ port: 443, targetPort: 9443 }], ...spec },
  });
const webhook = (rest: object = {}) =>
  object('admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration', 'v', {
    webhooks: [
      { name: 'vboat.kb.io', clientConfig: { service: { name: 'bell-service', path: '/v' } }, ...rest },
    ],
  });

test('the ClusterServiceVersion gets the rights of the service account of the operator, other rights stay objects', () => {
  const { csv, objects, problems } = bundleOf([
    deployment(),
    object('v1', 'ServiceAccount', 'captain'),
    object('v1', 'ServiceAccount', 'cook'),
    role('Role', 'log', 'pods'),
    binding('RoleBinding', 'log', 'Role', 'captain'),
    role('ClusterRole', 'read', 'nodes'),
    binding('ClusterRoleBinding', 'read', 'ClusterRole', 'cook', 'captain'),
    role('ClusterRole', 'alone', 'secrets'),
  ]);
  const rule = (resource: string) => ({ apiGroups: [''], resources: [resource], verbs: ['get'] });
  expect(csv.spec.install.spec['permissions']).toEqual([
    { serviceAccountName: 'captain', rules: [rule('pods')] },
  ]);
  expect(csv.spec.install.spec['clusterPermissions']).toEqual([
    { serviceAccountName: 'captain', rules: [rule('nodes')] },
  ]);
  expect([...objects.keys()]).toEqual([
    'alone_rbac.authorization.k8s.io_v1_clusterrole.yaml',
    'read_rbac.authorization.k8s.io_v1_clusterrolebinding.yaml',
    'cook_v1_serviceaccount.yaml',
  ]);
  expect(objects.get('cook_v1_serviceaccount.yaml')).not.toContain('namespace');
  expect(problems).toEqual([]);
});

test('extra service accounts give their rights, too', () => {
  const { csv, objects } = bundleOf(
    [
      deployment(),
      role('ClusterRole', 'read', 'nodes'),
      binding('ClusterRoleBinding', 'read', 'ClusterRole', 'cook'),
    ],
    { extraServiceAccounts: ['cook'] },
  );
  expect(csv.spec.install.spec['clusterPermissions']).toMatchObject([{ serviceAccountName: 'cook' }]);
  expect([...objects]).toEqual([]);
});

test('each served version is owned, as the author described it, and its objects are examples', () => {
  const described = { name: 'boats.sea.example.com', version: 'v1', kind: 'Boat', description: 'Floats' };
  const { csv, problems } = bundleOf(
    [
      deployment(),
      crd(),
      object('sea.example.com/v1', 'Boat', 'a<b'),
      object('sea.example.com/v1alpha1', 'Boat', 'old'),
    ],
    { base: base({ customresourcedefinitions: { owned: [described] } }) },
  );
  expect(csv.spec['customresourcedefinitions']).toEqual({ owned: [described] });
  expect(csv.metadata.annotations['alm-examples']).toContain(String.raw`"name": "a\u003cb"`);
  expect(problems).toEqual(['Boat old is left out: its version v1alpha1 is not served']);
});

test('the images of RELATED_IMAGE variables come before those of the author', () => {
  const { csv } = bundleOf(
    [
      deployment([
        { name: 'RELATED_IMAGE_BIG_SAIL', value: 'sail:1' },
        { name: 'RELATED_IMAGE_OAR', value: 'oar:1' },
      ]),
      deployment([{ name: 'RELATED_IMAGE_OAR', value: 'oar:2' }], 'mate'),
    ],
    {
      base: base({
        relatedImages: [
          { name: 'big-sail', image: 'sail:0' },
          { name: 'rope', image: 'rope:1' },
        ],
      }),
    },
  );
  expect(csv.spec['relatedImages']).toEqual([
    { name: 'big-sail', image: 'sail:1' },
    { name: 'captain-oar', image: 'oar:1' },
    { name: 'mate-oar', image: 'oar:2' },
    { name: 'rope', image: 'rope:1' },
  ]);
});

test('a related image with two names, or whose value is elsewhere, is named', () => {
  const twice = deployment([
    { name: 'RELATED_IMAGE_A', value: 'x:1' },
    { name: 'RELATED_IMAGE_B', value: 'x:1' },
  ]);
  const { csv, problems } = bundleOf([twice]);
  expect(csv.spec['relatedImages']).toEqual([{ name: '', image: 'x:1' }]);
  expect(problems).toEqual(['the image x:1 has the names a, b, so it is listed once without one']);
  const elsewhere = [{ name: 'RELATED_IMAGE_A', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }];
  expect(() => bundleOf([deployment(elsewhere)])).toThrow(/Deployment captain takes RELATED_IMAGE_A/);
});

test('WATCH_NAMESPACE becomes the namespaces of the OperatorGroup', () => {
  const { csv } = bundleOf([deployment([{ name: 'WATCH_NAMESPACE', value: '' }])]);
  const [{ spec }] = csv.spec.install.spec['deployments'];
  expect(spec.template.spec.containers[0].env).toEqual([
    {
      name: 'WATCH_NAMESPACE',
      valueFrom: { fieldRef: { fieldPath: "metadata.annotations['olm.targetNamespaces']" } },
    },
  ]);
});

test('a webhook has the Deployment and the port behind its Service, and says what it loses', () => {
  const { csv, problems } = bundleOf([
    deployment(),
    service(),
    webhook({ namespaceSelector: { matchLabels: { a: 'b' } }, matchConditions: [] }),
  ]);
  expect(csv.spec['webhookdefinitions']).toEqual([
    {
      type: 'ValidatingAdmissionWebhook',
      generateName: 'vboat.kb.io',
      sideEffects: 'None',
      admissionReviewVersions: ['v1beta1'],
      deploymentName: 'captain',
      containerPort: 443,
      targetPort: 9443,
      webhookPath: '/v',
    },
  ]);
  expect(problems).toEqual([expect.stringMatching(/^webhook vboat\.kb\.io loses its namespaceSelector/)]);
});

test.each<[string, object[], RegExp]>([
  ['without its Service', [webhook()], /names the Service bell-service, which is not in the input/],
  ['for no Deployment', [service({ selector: { app: 'mate' } }), webhook()], /selects no Deployment/],
  ['at a URL', [webhook({ clientConfig: { url: 'https://x' } })], /vboat\.kb\.io has no Service/],
])('a webhook %s is a problem', (_, objects, problem) => {
  expect(bundleOf([deployment(), ...objects]).problems).toEqual([expect.stringMatching(problem)]);
});

test('CRDs that convert at the same path share a webhook, also without a path', () => {
  const conversion = {
    strategy: 'Webhook',
    webhook: {
      conversionReviewVersions: ['v1'],
      clientConfig: { service: { name: 'bell-service', namespace: 'boats' } },
    },
  };
  const second = {
    ...crd({ names: { kind: 'Ship', plural: 'ships' }, group: 'sea.example.com', conversion }),
    metadata: { name: 'ships.sea.example.com' },
  };
  const { csv } = bundleOf([deployment(), service(), second, crd({ conversion })]);
  expect(csv.spec['webhookdefinitions']).toEqual([
    {
      type: 'ConversionWebhook',
      generateName: 'cboatsships.kb.io',
      conversionCRDs: ['boats.sea.example.com', 'ships.sea.example.com'],
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
      deploymentName: 'captain',
      containerPort: 443,
      targetPort: 9443,
    },
  ]);
  expect(bundleOf([deployment(), crd({ conversion })]).problems).toEqual([
    'CRD boats.sea.example.com has a conversion webhook, but its Service is not in the input',
  ]);
});

test('what a bundle cannot contain is a problem, but not the namespace', () => {
  const { problems, notes, objects } = bundleOf([
    deployment(),
    object('v1', 'Namespace', 'boats'),
    object('batch/v1', 'CronJob', 'clean'),
    object('v1', 'ConfigMap', 'chart', { data: { a: '1' } }),
    object('v1', 'ConfigMap', 'chart', { data: { a: 'y' } }),
    object('v1', 'ConfigMap', 'chart', { data: { a: '1' } }),
  ]);
  expect(notes).toEqual(['Namespace boats is left out: OLM chooses the namespace']);
  expect(problems).toEqual([
    'CronJob clean is left out: a bundle cannot contain objects of this kind',
    'the input has two different objects ConfigMap chart: OLM installs one of them',
  ]);
  expect([...objects.keys()]).toEqual(['chart_v1_configmap.yaml', 'dup0_chart_v1_configmap.yaml']);
  expect(objects.get('dup0_chart_v1_configmap.yaml')).toContain('a: "y"');
});

test('unknown fields are named, and a field of the wrong type is an error with its place', () => {
  const { problems } = bundleOf([{ ...deployment(), spec: { replica: 3 } }]);
  expect(problems).toEqual(['Deployment captain: unknown field "spec.replica", which is left out']);
  const wrong = { ...deployment(), spec: { replicas: 'three' } };
  expect(() => bundleOf([wrong])).toThrow(/^Deployment captain \(all\.yaml:1\) is not valid: /);
});

test('a ClusterServiceVersion that OLM would refuse is an error', () => {
  const noModes = base({ installModes: [] });
  expect(() => bundleOf([deployment()], { base: noModes })).toThrow(/spec\.installModes is missing/);
  expect(() => bundleOf([deployment()], { version: '1.0.0+build' })).toThrow(/metadata\.name is /);
});

test('a ClusterServiceVersion in the input wins over the file; those left out are named', () => {
  const inInput = { ...base({ displayName: 'In input' }), metadata: { name: 'fleet.v0.1.0' } };
  const other = { ...base(), metadata: { name: 'other.v1.0.0' } };
  const { csv, problems } = bundleOf([deployment(), other, inInput]);
  expect(csv.spec['displayName']).toBe('In input');
  expect(csv.metadata.name).toBe('fleet.v0.2.0');
  expect(problems).toEqual([
    'ClusterServiceVersion other.v1.0.0 (all.yaml:21) is left out: its name does not start with fleet.',
  ]);
});

test('what the author wrote into the bundle by hand survives, unless the base says something else', () => {
  const former = {
    ...base(
      {
        replaces: 'fleet.v0.1.0',
        skips: ['fleet.v0.1.1'],
        relatedImages: [{ name: 'rope', image: 'rope:1' }],
      },
      { categories: 'Storage', containerImage: 'old', createdAt: '2020-01-01T00:00:00Z' },
    ),
    metadata: {
      name: 'fleet.v0.2.0',
      annotations: { categories: 'Storage', containerImage: 'old', 'alm-examples': 'old' },
    },
  } as JsonObject;
  const sources = { base: base({}, { containerImage: 'new' }), former };
  const { csv, notes } = bundleOf([deployment()], sources);
  expect(csv.metadata.annotations).toMatchObject({
    categories: 'Storage',
    containerImage: 'new',
    'alm-examples': '[]',
  });
  expect(csv.spec).toMatchObject({
    replaces: 'fleet.v0.1.0',
    skips: ['fleet.v0.1.1'],
    relatedImages: [{ name: 'rope', image: 'rope:1' }],
  });
  expect(notes).toEqual([
    'kept from bundle/manifests/fleet.clusterserviceversion.yaml, as the base has none: annotation categories, related image rope, replaces, skips',
  ]);
  const next = bundleOf([deployment()], { ...sources, version: '0.3.0' });
  expect(next.csv.spec).not.toHaveProperty('replaces');
  expect(next.csv.spec['relatedImages']).toHaveLength(1);
  expect(next.notes[1]).toBe('replaces of fleet.v0.2.0 does not apply to fleet.v0.3.0: set it in the base');
});

test('the items of a List are objects; other documents are named with their lines', () => {
  const list = { apiVersion: 'v1', kind: 'List', items: [deployment()] };
  expect(readInput([{ name: 'a', text: yaml(list) }]).objects).toMatchObject([{ kind: 'Deployment' }]);
  const { problems } = readInput([{ name: 'a', text: `${yaml(deployment())}---\n# c\njust: data\n` }]);
  expect(problems).toEqual(['what starts at a:22 is left out: it has no apiVersion or no kind']);
});

test.each([
  ['{', 'INVALID_INPUT'],
  ['a: [\n', 'INVALID_INPUT'],
  ['just text', 'INVALID_INPUT'],
  ['- a', 'INVALID_INPUT'],
  ['', 'EMPTY_INPUT'],
  ['# nothing\n---\n', 'EMPTY_INPUT'],
  [`a: ${'['.repeat(300)}${']'.repeat(300)}`, 'INVALID_INPUT'],
])('refuses %j', (text, code) => {
  expect(() => readInput([{ name: 'a', text }])).toThrow(expect.objectContaining({ code }));
});

test('wrong types anywhere are refused with a reason, or ignored, and never crash', () => {
  const objects = [
    deployment(),
    crd(),
    service(),
    webhook(),
    role('Role', 'log', 'pods'),
    binding('RoleBinding', 'log', 'Role', 'captain'),
    base(),
    object('scorecard.operatorframework.io/v1alpha3', 'Configuration', 'config', {
      stages: [{ tests: [{}] }],
    }),
  ];
  const odd = fc.oneof(
    fc.constantFrom(null, '', 0, -1, 1e300, true, [], {}, [null], [[]], '../../x', '__proto__', 'y'),
    fc.constant(JSON.parse('{"__proto__": {"polluted": true}}')),
  );
  fc.assert(
    fc.property(fc.nat(objects.length - 1), fc.nat(), odd, (index, seed, value) => {
      const changed = objects.map((each, at) => (at === index ? replaceAt(each, seed, value) : each));
      try {
        bundleOf(changed);
      } catch (error) {
        if (!(error instanceof OtsError)) throw error;
        expect(error.message).not.toContain('\n');
      }
    }),
    { numRuns: 20 },
  );
  expect({}).not.toHaveProperty('polluted');
});

/** The object with another value at one of its places. */
function replaceAt(source: object, seed: number, value: unknown): object {
  const copy = structuredClone(source);
  const places: (() => void)[] = [];
  const visit = (node: unknown) => {
    if (typeof node !== 'object' || node === null) return;
    for (const [key, item] of Object.entries(node)) {
      places.push(() => Object.assign(node, { [key]: value }));
      visit(item);
    }
  };
  visit(copy);
  places[seed % places.length]!();
  return copy;
}
