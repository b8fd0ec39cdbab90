import { expect, test } from 'vitest';
import { certificate, certificateRequests } from '../../support/certificate-requests.ts';
import { until } from '../../support/fixtures.ts';
import { type Change, askCreates, askUpdates } from '../../support/kind-cases.ts';
import { onEachServer } from '../../support/on-each-server.ts';
import { asRecorded } from '../../support/recorded.ts';

/** Cases that add fields to a bare object. */
function fields(values: Record<string, object>): Record<string, Change> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, (object: any) => void Object.assign(object, value)]),
  );
}

/** Cases that add fields to the `spec` of the base object. */
function specs(values: Record<string, object>): Record<string, Change> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      (object: any) => void (object.spec = { ...object.spec, ...value }),
    ]),
  );
}

/** Cases that set `status`, and also try to set labels. */
function statuses(values: Record<string, unknown>): Record<string, Change> {
  return Object.fromEntries(
    Object.entries(values).map(([name, status]) => [
      name,
      (object: any) => {
        object.metadata.labels = { from: 'status' };
        object.status = status;
      },
    ]),
  );
}

const micro = '2026-01-01T00:00:00.000000Z';
const leases = specs({
  'nothing more': {},
  'all fields': {
    holderIdentity: 'me',
    leaseDurationSeconds: 15,
    acquireTime: micro,
    renewTime: '2026-01-01T00:00:00.123456Z',
    leaseTransitions: 3,
  },
  'an empty holder': { holderIdentity: '' },
  'no seconds': { leaseDurationSeconds: 0 },
  'seconds below zero': { leaseDurationSeconds: -1 },
  'no transitions': { leaseTransitions: 0 },
  'transitions below zero': { leaseTransitions: -1 },
  'a time in another zone': { renewTime: '2026-01-01T02:00:00.000000+02:00' },
  'a strategy': { strategy: 'OldestEmulationVersion' },
  'a preferred holder': { preferredHolder: 'you' },
});

const priorities = fields({
  'a value': { value: 5 },
  'no value': { value: undefined },
  'a value below zero': { value: -2147483648 },
  'the highest value': { value: 1_000_000_000 },
  'a value that is too high': { value: 1_000_000_001 },
  'a policy': { preemptionPolicy: 'Never' },
  'an empty policy': { preemptionPolicy: '' },
  'another policy': { preemptionPolicy: 'Always' },
  'a description': { description: 'for everything', globalDefault: false },
  'the default': { globalDefault: true },
  'a reserved name': { metadata: { name: 'system-mine' } },
});
const systemPriorities: Record<string, Change> = fields({
  'a class of the system': { metadata: { name: 'system-node-critical' }, value: 2_000_001_000 },
  'a class of the system with another value': { metadata: { name: 'system-cluster-critical' }, value: 7 },
  'a class of the system as default': {
    metadata: { name: 'system-cluster-critical' },
    value: 2_000_000_000,
    globalDefault: true,
  },
});

const zone = { key: 'zone', values: ['a', 'b'] };
const storageClasses = fields({
  'a provisioner': { provisioner: 'a.b/c' },
  'no provisioner': { provisioner: undefined },
  'a bad provisioner': { provisioner: 'a b/c/d' },
  'a provisioner in capitals': { provisioner: 'A.B/C' },
  'a policy': { reclaimPolicy: 'Retain', volumeBindingMode: 'WaitForFirstConsumer' },
  'policies that nobody knows': { reclaimPolicy: 'Recycle', volumeBindingMode: 'Later' },
  'empty policies': { reclaimPolicy: '' },
  'an empty mode': { volumeBindingMode: '' },
  parameters: { parameters: { a: 'b' }, mountOptions: ['ro'], allowVolumeExpansion: true },
  'a parameter without a name': { parameters: { '': 'b' } },
  topologies: { allowedTopologies: [{ matchLabelExpressions: [zone] }] },
  'bad topologies': {
    allowedTopologies: [
      { matchLabelExpressions: [zone, zone] },
      { matchLabelExpressions: [{ key: 'a b', values: [] }] },
      { matchLabelExpressions: [{ key: 'zone', values: ['b', 'a', 'a'] }] },
      {},
    ],
  },
});

const largeClasses = fields({
  'many parameters': {
    parameters: Object.fromEntries(Array.from({ length: 513 }, (_, index) => [`p${index}`, ''])),
  },
  'large parameters': { parameters: { a: 'x'.repeat(256 * 1024) } },
});

const attributesClasses = fields({
  'a driver': {},
  'no parameters': { parameters: undefined },
  'other parameters': { parameters: { c: 'd' } },
  'no driver': { driverName: undefined },
  'a bad driver': { driverName: 'a b' },
  'another driver': { driverName: 'c.d' },
  'a parameter without a name': { parameters: { '': 'b' } },
});

const drivers = specs({
  'nothing more': {},
  'all fields': {
    attachRequired: false,
    podInfoOnMount: true,
    storageCapacity: true,
    fsGroupPolicy: 'File',
    volumeLifecycleModes: ['Ephemeral'],
    tokenRequests: [{ audience: 'a', expirationSeconds: 600 }, { audience: '' }],
    serviceAccountTokenInSecrets: true,
    requiresRepublish: true,
    seLinuxMount: true,
    nodeAllocatableUpdatePeriodSeconds: 10,
    preventPodSchedulingIfMissing: true,
  },
  'a bad policy': { fsGroupPolicy: 'Never' },
  'a bad mode': { volumeLifecycleModes: ['Persistent', 'Sometimes', ''] },
  'bad tokens': {
    tokenRequests: [
      { audience: 'a', expirationSeconds: 599 },
      { audience: 'a' },
      { audience: 'b', expirationSeconds: 4294967297 },
    ],
    serviceAccountTokenInSecrets: true,
  },
  'tokens that are not said to be in secrets': { tokenRequests: [{ audience: 'a' }] },
  'tokens in secrets without tokens': { serviceAccountTokenInSecrets: false },
  'a short period': { nodeAllocatableUpdatePeriodSeconds: 9 },
});

const nodeDriver = { name: 'a.b', nodeID: 'n' };
const nodes = specs({
  'a driver': { drivers: [nodeDriver] },
  'no drivers': { drivers: undefined },
  'a driver with all fields': {
    drivers: [{ ...nodeDriver, topologyKeys: ['a/b', 'c'], allocatable: { count: 7 } }],
  },
  'the same driver twice': { drivers: [nodeDriver, nodeDriver] },
  'another node': { drivers: [{ ...nodeDriver, nodeID: 'm' }] },
  'more room': { drivers: [{ ...nodeDriver, allocatable: { count: 9 } }] },
  'another driver': { drivers: [nodeDriver, { name: 'c.d', nodeID: 'n' }] },
  'bad drivers': {
    drivers: [
      {},
      { name: 'a b', nodeID: 'n' },
      { name: 'x'.repeat(64), nodeID: 'n'.repeat(257) },
      { name: 'e', nodeID: 'n', topologyKeys: ['a', 'a', '', 'b c'], allocatable: { count: -1 } },
    ],
  },
});

const capacities = fields({
  'a capacity': { capacity: '10Gi', maximumVolumeSize: '1Gi' },
  'no class': { storageClassName: undefined },
  'a bad class': { storageClassName: 'A b' },
  'another class': { storageClassName: 'd' },
  'less than nothing': { capacity: '-1' },
  'a topology': { nodeTopology: { matchLabels: { a: 'b' } } },
  'a bad topology': {
    nodeTopology: {
      matchLabels: { 'a b': '!' },
      matchExpressions: [{ key: 'a', operator: 'In' }],
    },
  },
});

const attachments = specs({
  'a volume': {},
  'no source': { source: {} },
  'no node': { nodeName: undefined },
  'a bad node': { nodeName: 'A b' },
  'no driver': { attacher: undefined },
  'a bad driver': { attacher: 'a_b' },
  'another volume': { source: { persistentVolumeName: 'other' } },
  'a volume without a name': { source: { persistentVolumeName: '' } },
  'a volume with a bad name': { source: { persistentVolumeName: 'A b' } },
});
const attachmentStatuses = statuses({
  attached: { attached: true, attachmentMetadata: { a: 'b' } },
  nothing: {},
  'an error': { attached: false, attachError: { message: 'm', time: '2026-01-01T00:00:00Z', errorCode: 3 } },
  'bad errors': {
    attached: false,
    attachError: { message: 'x'.repeat(1025) },
    detachError: { errorCode: -1 },
  },
});

const runtimes = fields({
  'a handler': {},
  'no handler': { handler: undefined },
  'a bad handler': { handler: 'A.b' },
  'another handler': { handler: 'other' },
  overhead: { overhead: { podFixed: { cpu: '100m', memory: '1Gi' } } },
  'bad overhead': { overhead: { podFixed: { cpu: '-1', unknown: '1', 'a.b/c': '0.5' } } },
  nodes: { scheduling: { nodeSelector: { a: 'b' }, tolerations: [{ operator: 'Exists' }] } },
  'bad nodes': {
    scheduling: {
      nodeSelector: { 'a b': '!' },
      tolerations: [
        { key: 'a' },
        { key: 'a' },
        { key: 'a b', operator: 'Exists', value: 'c' },
        { operator: 'Equal' },
        { key: 'a', operator: 'Like', effect: 'Nothing' },
        { key: 'b', tolerationSeconds: 3 },
      ],
    },
  },
});

const subject = { kind: 'User', user: { name: 'a' } };
const resourceRule = { verbs: ['get'], apiGroups: ['*'], resources: ['*'], namespaces: ['*'] };
const flowRule = { subjects: [subject], resourceRules: [resourceRule] };
const schemas = specs({
  'nothing more': {},
  'a precedence': { matchingPrecedence: 5, distinguisherMethod: { type: 'ByUser' } },
  'the first precedence': { matchingPrecedence: 1 },
  'a precedence below zero': { matchingPrecedence: -1 },
  'a precedence that is too high': { matchingPrecedence: 10_001 },
  'a method that nobody knows': { distinguisherMethod: { type: 'ByColour' } },
  'no level': { priorityLevelConfiguration: {} },
  'a bad level': { priorityLevelConfiguration: { name: 'A b' } },
  'a rule': { rules: [flowRule] },
  'empty rules': { rules: [{}, { subjects: [], resourceRules: [{}], nonResourceRules: [{}] }] },
  subjects: {
    rules: [
      {
        ...flowRule,
        subjects: [
          { kind: 'ServiceAccount', serviceAccount: { name: '*', namespace: 'a' } },
          { kind: 'Group', group: { name: 'a' } },
        ],
      },
    ],
  },
  'bad subjects': {
    rules: [
      {
        ...flowRule,
        subjects: [
          { kind: 'User' },
          { kind: 'Group', group: {}, user: { name: 'a' } },
          { kind: 'ServiceAccount', serviceAccount: {}, group: { name: 'a' } },
          { kind: 'ServiceAccount', serviceAccount: { name: 'A b', namespace: 'c.d' }, user: { name: 'a' } },
          { kind: 'User', user: {}, serviceAccount: { name: 'a', namespace: 'b' } },
          { kind: 'Robot' },
        ],
      },
    ],
  },
  'bad rules about resources': {
    rules: [
      {
        ...flowRule,
        resourceRules: [
          { ...resourceRule, verbs: ['*', 'get'], apiGroups: ['*', 'a'], resources: ['*', 'b'] },
          { ...resourceRule, verbs: ['fly'], namespaces: ['*', 'a'] },
          { ...resourceRule, namespaces: undefined },
          { ...resourceRule, namespaces: undefined, clusterScope: true },
          { ...resourceRule, namespaces: ['A b', 'c'] },
        ],
      },
    ],
  },
  'bad rules about URLs': {
    rules: [
      {
        subjects: [subject],
        nonResourceRules: [
          { verbs: ['get'], nonResourceURLs: ['*', '/a'] },
          { verbs: ['get'], nonResourceURLs: ['', '/', 'a', '/a b', '/a//b', '/a*', '/*/*', '/a/*', '*/'] },
        ],
      },
    ],
  },
});
const levelStatuses = statuses({
  conditions: { conditions: [{ type: 'Other', status: 'False', reason: 'r', message: 'm' }] },
  'bad conditions': { conditions: [{ type: 'A' }, { type: 'A' }, {}] },
});

const queuing = { queues: 64, handSize: 8, queueLengthLimit: 50 };
function limited(limitResponse: unknown, more: object = {}): object {
  return { type: 'Limited', limited: { limitResponse, ...more } };
}
const levels = specs({
  rejection: limited({ type: 'Reject' }),
  queues: limited({ type: 'Queue', queuing: {} }),
  'queues of a size': limited({ type: 'Queue', queuing }, { nominalConcurrencyShares: 0 }),
  'nothing about the limit': { type: 'Limited', limited: undefined },
  'an empty limit': { type: 'Limited', limited: {} },
  'queues that nobody describes': limited({ type: 'Queue' }),
  'rejection with queues': limited({ type: 'Reject', queuing }),
  'another response': limited({ type: 'Wait' }),
  'bad queues': limited({ type: 'Queue', queuing: { queues: -1, handSize: -1, queueLengthLimit: -1 } }),
  'too many queues': limited({ type: 'Queue', queuing: { ...queuing, queues: 10_000_001 } }),
  'a hand that is too large': limited({ type: 'Queue', queuing: { ...queuing, handSize: 65 } }),
  'a hand of too many bits': limited({ type: 'Queue', queuing: { ...queuing, handSize: 11 } }),
  'bad shares': limited(
    { type: 'Reject' },
    { nominalConcurrencyShares: -1, lendablePercent: 101, borrowingLimitPercent: -1 },
  ),
  'no type': { type: undefined },
  'another type': { type: 'Unlimited' },
  'an exempt level': { type: 'Exempt', limited: undefined, exempt: {} },
  'exempt and limited': { type: 'Limited', exempt: {} },
  'limited and exempt': { type: 'Exempt' },
});

const service = { name: 's', namespace: 'n' };
const apiServices = specs({
  'a version': {},
  'no priorities': { groupPriorityMinimum: undefined, versionPriority: undefined },
  'priorities that are too high': { groupPriorityMinimum: 20_001, versionPriority: 1001 },
  'another name': { version: 'v2' },
  'no group': { group: undefined },
  'a bad group': { group: 'A_b' },
  'a port': { service: { ...service, port: 8443 } },
  'a bad port': { service: { ...service, port: 70_000 } },
  'a service without names': { service: {} },
  'no service': { service: undefined },
  'certificates of a version that is here': {
    service: undefined,
    caBundle: 'YQ==',
    insecureSkipTLSVerify: true,
  },
  'certificates that do not matter': { caBundle: 'YQ==', insecureSkipTLSVerify: true },
});

const request = certificateRequests.good;
const csrs = specs({
  'a request': {},
  'a request that says who asks': { username: 'root', uid: '0', groups: ['a'], extra: { b: ['c'] } },
  'no usages': { usages: undefined },
  'bad usages': { usages: ['client auth', 'fly', 'client auth'] },
  'a short time': { expirationSeconds: 599 },
  'no signer': { signerName: undefined },
  'the old signer': { signerName: 'kubernetes.io/legacy-unknown' },
  'a signer without a path': { signerName: 'a.b' },
  'a signer without a domain': { signerName: 'a/b' },
  'a bad signer': { signerName: 'A_b.c/D e' },
  'no request': { request: undefined },
  'a request that is none': { request: Buffer.from('hello').toString('base64') },
  'a certificate as request': { request: certificate },
  ...Object.fromEntries(
    Object.entries(certificateRequests).map(([name, value]) => [`the request ${name}`, { request: value }]),
  ),
});
const approved = { type: 'Approved', status: 'True', reason: 'r', message: 'm' };
const denied = { ...approved, type: 'Denied' };
const csrConditions = statuses({
  nothing: {},
  'an approval': { conditions: [approved] },
  'an approval with times': {
    conditions: [{ ...approved, lastUpdateTime: '2026-01-01T00:00:00Z', lastTransitionTime: micro }],
  },
  'a denial': { conditions: [denied] },
  both: { conditions: [approved, denied] },
  'an approval twice': { conditions: [approved, approved] },
  'an approval that is false': { conditions: [{ ...approved, status: 'False' }] },
  'a failure': { conditions: [{ ...approved, type: 'Failed' }] },
  'another condition': { conditions: [{ ...approved, type: 'Other', status: 'Unknown' }] },
  'bad conditions': { conditions: [{}, { type: 'Other', status: 'Maybe' }] },
  'a certificate': { certificate },
  'a certificate that is none': { certificate: Buffer.from('hello').toString('base64') },
  'a request as certificate': { certificate: request },
  'a certificate and an approval': { conditions: [approved], certificate },
});

interface Kind {
  /** Group and version. */
  api: string;
  plural: string;
  isNamespaced?: boolean;
  name?: string;
  /** The object that the cases change. */
  base: object;
  cases: Record<string, Change>;
  /**
   * Cases that do not update the base. These are all cases of a kind that controllers of a real server also write, where
   * the result of an update depends on the order of the writers.
   */
  createCases?: Record<string, Change>;
  statuses?: Record<string, Change>;
}

const kinds: Kind[] = [
  {
    api: 'coordination.k8s.io/v1',
    plural: 'leases',
    isNamespaced: true,
    base: { spec: { holderIdentity: 'a' } },
    cases: leases,
  },
  {
    api: 'scheduling.k8s.io/v1',
    plural: 'priorityclasses',
    base: { value: 5 },
    cases: priorities,
    createCases: systemPriorities,
  },
  {
    api: 'storage.k8s.io/v1',
    plural: 'storageclasses',
    base: { provisioner: 'a.b/c' },
    cases: storageClasses,
    createCases: largeClasses,
  },
  {
    api: 'storage.k8s.io/v1',
    plural: 'volumeattributesclasses',
    base: { driverName: 'a.b', parameters: { a: 'b' } },
    cases: attributesClasses,
  },
  { api: 'storage.k8s.io/v1', plural: 'csidrivers', base: { spec: {} }, cases: drivers },
  { api: 'storage.k8s.io/v1', plural: 'csinodes', base: { spec: { drivers: [nodeDriver] } }, cases: nodes },
  {
    api: 'storage.k8s.io/v1',
    plural: 'csistoragecapacities',
    isNamespaced: true,
    base: { storageClassName: 'c' },
    cases: capacities,
  },
  {
    api: 'storage.k8s.io/v1',
    plural: 'volumeattachments',
    base: { spec: { attacher: 'a.b', nodeName: 'n', source: { persistentVolumeName: 'v' } } },
    cases: attachments,
    statuses: attachmentStatuses,
  },
  { api: 'node.k8s.io/v1', plural: 'runtimeclasses', base: { handler: 'h' }, cases: runtimes },
  {
    api: 'flowcontrol.apiserver.k8s.io/v1',
    plural: 'flowschemas',
    base: { spec: { priorityLevelConfiguration: { name: 'l' } } },
    cases: {},
    createCases: schemas,
  },
  {
    api: 'flowcontrol.apiserver.k8s.io/v1',
    plural: 'prioritylevelconfigurations',
    base: { spec: limited({ type: 'Reject' }) },
    cases: levels,
    statuses: levelStatuses,
  },
  {
    api: 'apiregistration.k8s.io/v1',
    plural: 'apiservices',
    name: 'v1.a.b',
    base: {
      spec: { group: 'a.b', version: 'v1', groupPriorityMinimum: 1000, versionPriority: 10, service },
    },
    cases: {},
    createCases: apiServices,
  },
  {
    api: 'certificates.k8s.io/v1',
    plural: 'certificatesigningrequests',
    base: { spec: { request, signerName: 'a.b/c', usages: ['client auth'] } },
    cases: csrs,
    statuses: csrConditions,
  },
];
const objects = kinds.map(({ api, plural, isNamespaced, name = 'case', base, ...kind }) => ({
  ...kind,
  plural,
  path: `/apis/${api}${isNamespaced ? '/namespaces/default' : ''}/${plural}`,
  base: { metadata: { name }, ...base },
}));

onEachServer('kinds of the cluster', (server) => {
  test.each(objects)('$plural that are created', async ({ plural, path, base, cases, createCases }) => {
    const outcomes = await askCreates(server.session, { path, base, cases: { ...cases, ...createCases } });
    await expect(asRecorded(outcomes)).toMatchFileSnapshot(`../recorded/cluster-kinds/${plural}.yaml`);
  });

  test.each(objects.filter(({ cases }) => Object.keys(cases).length > 0))(
    '$plural that are changed',
    async ({ plural, ...kind }) => {
      const outcomes = await askUpdates(server.session, kind);
      await expect(asRecorded(outcomes)).toMatchFileSnapshot(
        `../recorded/cluster-kinds/${plural}-updates.yaml`,
      );
    },
  );

  test.each(objects.filter((kind) => kind.statuses))('the status of $plural', async (kind) => {
    const { path, base, statuses: cases = {}, plural } = kind;
    // The tests above created it.
    await server.session.delete(`${path}/${base.metadata.name}`);
    const outcomes = await askUpdates(server.session, { path, base, cases }, '/status');
    await expect(asRecorded(outcomes)).toMatchFileSnapshot(`../recorded/cluster-kinds/${plural}-status.yaml`);
  });

  test('the approval of certificate signing requests', async () => {
    const path = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
    const base = {
      metadata: { name: 'to-approve' },
      spec: { request, signerName: 'a.b/c', usages: ['any'] },
    };
    const outcomes = await askUpdates(server.session, { path, base, cases: csrConditions }, '/approval');
    await expect(asRecorded(outcomes)).toMatchFileSnapshot(
      '../recorded/cluster-kinds/certificatesigningrequests-approval.yaml',
    );
  });

  test('a certificate signing request is approved and issued, and keeps both', async () => {
    const path = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
    const spec = { request, signerName: 'a.b/c', usages: ['any'] };
    await server.session.post(path, { metadata: { name: 'journey' }, spec });
    const conditions = (body: any) => body.status.conditions?.map(({ type }: any) => type);
    const approval = await server.session.merge(`${path}/journey/approval`, {
      status: { conditions: [approved] },
    });
    expect(conditions(approval.body)).toStrictEqual(['Approved']);
    expect(approval.body.status.conditions[0].lastUpdateTime).toMatch(/Z$/);
    const issued = await server.session.merge(`${path}/journey/status`, { status: { certificate } });
    expect(issued.body.status.certificate).toBe(certificate);
    const again = await server.session.merge(`${path}/journey/status`, { status: { certificate: null } });
    expect(again.body.message).toContain('updates may not modify existing certificate content');
    const taken = await server.session.merge(`${path}/journey/status`, { status: { conditions: [] } });
    expect(taken.body.message).toContain('updates may not remove a condition of type "Approved"');
    expect((await server.session.get(`${path}/journey/approval`)).body.status.certificate).toBe(certificate);
  });

  test('at most one priority class is the default', async () => {
    const path = '/apis/scheduling.k8s.io/v1/priorityclasses';
    const first = { metadata: { name: 'first' }, value: 1, globalDefault: true };
    expect((await server.session.post(path, first)).code).toBe(201);
    const second = { ...first, metadata: { name: 'second' } };
    const ask = () => server.session.post(`${path}?dryRun=All`, second);
    // A real server sees new classes with a delay.
    await until(async () => (await ask()).code === 403);
    expect((await ask()).body.message).toBe(
      'priorityclasses.scheduling.k8s.io "second" is forbidden: PriorityClass first is already marked as default. Only one default can exist',
    );
    expect((await server.session.merge(`${path}/first`, { description: 'mine' })).code).toBe(200);
    expect((await server.session.merge(`${path}/first`, { globalDefault: false })).code).toBe(200);
    await until(async () => (await ask()).code === 201);
  });

  test.each([
    ['leases', '/apis/coordination.k8s.io/v1/namespaces/default/leases', { spec: {} }],
    ['runtimeclasses', '/apis/node.k8s.io/v1/runtimeclasses', { handler: 'h' }],
  ])('%s are made by an update', async (_, path, fieldsOfObject) => {
    const object = { metadata: { name: 'made' }, ...fieldsOfObject };
    expect((await server.session.put(`${path}/made`, object)).code).toBe(201);
    expect((await server.session.put(`${path}/made`, object)).body.message).toContain(
      'metadata.resourceVersion: Invalid value: 0: must be specified for an update',
    );
  });
});
