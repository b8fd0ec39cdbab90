import { beforeAll, expect, test } from 'vitest';
import { certificateRequests } from '../../support/certificate-requests.ts';
import { until } from '../../support/fixtures.ts';
import { refusal } from '../../support/normalize.ts';
import { onEachServer } from '../../support/on-each-server.ts';
import { asRecorded } from '../../support/recorded.ts';
import type { Session } from '../../support/session.ts';

const pods = '/api/v1/namespaces/default/pods';
const claims = '/api/v1/namespaces/default/persistentvolumeclaims';
const nodes = '/api/v1/nodes';
const leases = '/apis/coordination.k8s.io/v1/namespaces';
const csiNodes = '/apis/storage.k8s.io/v1/csinodes';
const csiDrivers = '/apis/storage.k8s.io/v1/csidrivers';
const slices = '/apis/resource.k8s.io/v1/resourceslices';
const requests = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const token = '/api/v1/namespaces/default/serviceaccounts/robot/token';
const mirror = { 'kubernetes.io/config.mirror': 'x' };

const container = { name: 'a', image: 'a' };
const volume = (source: object) => ({ volumes: [{ name: 'v', ...source }] });
const owner = { apiVersion: 'v1', kind: 'Node', name: 'one', uid: '<node uid>', controller: true };

const mirrorPod = (spec: object, metadata: object = {}) => ({
  metadata: { name: 'mirror', annotations: mirror, ownerReferences: [owner], ...metadata },
  spec: { nodeName: 'one', containers: [container], ...spec },
});
const bound = (name: string, uid: string, audiences?: string[]) => ({
  spec: { boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name, uid }, ...(audiences && { audiences }) },
});
const claimStatus = (rest: object, metadata: object = {}) => ({
  metadata: { name: 'claim', ...metadata },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  status: { phase: 'Bound', ...rest },
});
const slice = (spec: object) => ({
  metadata: { name: 'new' },
  spec: { driver: 'd.example.com', pool: { name: 'p', generation: 1, resourceSliceCount: 1 }, ...spec },
});
const lease = (name: string) => ({ metadata: { name }, spec: { holderIdentity: name } });
const csiNode = (name: string) => ({ metadata: { name }, spec: { drivers: [] } });
const signing = (signerName: string) => ({
  metadata: { name: 'new' },
  spec: { request: certificateRequests.good, signerName, usages: ['client auth'] },
});

type Case = readonly [method: string, path: string, body?: object];

const patch = 'PATCH';
const cases: Record<string, Record<string, Case>> = {
  'mirror pods': {
    'a mirror pod': ['POST', pods, mirrorPod({})],
    'no annotation': ['POST', pods, mirrorPod({}, { annotations: {} })],
    'another node': ['POST', pods, mirrorPod({ nodeName: 'two' })],
    'no node': ['POST', pods, mirrorPod({ nodeName: '' })],
    'no owner': ['POST', pods, mirrorPod({}, { ownerReferences: [] })],
    'two owners': [
      'POST',
      pods,
      mirrorPod({}, { ownerReferences: [owner, { ...owner, name: 'two', controller: false }] }),
    ],
    'another owner': ['POST', pods, mirrorPod({}, { ownerReferences: [{ ...owner, name: 'two' }] })],
    'another kind of owner': ['POST', pods, mirrorPod({}, { ownerReferences: [{ ...owner, kind: 'Pod' }] })],
    'no controller': ['POST', pods, mirrorPod({}, { ownerReferences: [{ ...owner, controller: false }] })],
    'an owner that blocks': [
      'POST',
      pods,
      mirrorPod({}, { ownerReferences: [{ ...owner, blockOwnerDeletion: true }] }),
    ],
    'another UID': ['POST', pods, mirrorPod({}, { ownerReferences: [{ ...owner, uid: 'x' }] })],
    'a ServiceAccount': ['POST', pods, mirrorPod({ serviceAccountName: 'robot' })],
    'an image pull secret': ['POST', pods, mirrorPod({ imagePullSecrets: [{ name: 'a' }] })],
    'a variable of a ConfigMap': [
      'POST',
      pods,
      mirrorPod({ containers: [{ ...container, envFrom: [{ configMapRef: { name: 'a' } }] }] }),
    ],
    'a Secret volume': ['POST', pods, mirrorPod(volume({ secret: { secretName: 'a' } }))],
    'a ConfigMap volume': ['POST', pods, mirrorPod(volume({ configMap: { name: 'a' } }))],
    'a CSI volume': ['POST', pods, mirrorPod(volume({ csi: { driver: 'd.example.com' } }))],
    'a claim': ['POST', pods, mirrorPod(volume({ persistentVolumeClaim: { claimName: 'a' } }))],
    'a token': [
      'POST',
      pods,
      mirrorPod(volume({ projected: { sources: [{ serviceAccountToken: { path: 'a' } }] } })),
    ],
    'the downward API': [
      'POST',
      pods,
      mirrorPod(
        volume({
          projected: {
            sources: [{ downwardAPI: { items: [{ path: 'a', fieldRef: { fieldPath: 'metadata.name' } }] } }],
          },
        }),
      ),
    ],
    'a host path': ['POST', pods, mirrorPod(volume({ hostPath: { path: '/a' } }))],
  },
  pods: {
    'an own pod is deleted': ['DELETE', `${pods}/own`],
    'the pod of another node is deleted': ['DELETE', `${pods}/other`],
    'a missing pod is deleted': ['DELETE', `${pods}/missing`],
    'a pod is updated': [patch, `${pods}/own`, { metadata: { labels: { a: 'b' } } }],
    'pods are deleted': ['DELETE', pods],
    'own status': [patch, `${pods}/own/status`, { status: { phase: 'Running' } }],
    'the status of another': [patch, `${pods}/other/status`, { status: { phase: 'Running' } }],
    'labels through the status': [patch, `${pods}/own/status`, { metadata: { labels: { a: 'b' } } }],
    'claims through the status': [
      patch,
      `${pods}/own/status`,
      { status: { resourceClaimStatuses: [{ name: 'a', resourceClaimName: 'b' }] } },
    ],
    'an own pod is evicted': ['POST', `${pods}/own/eviction`, { metadata: { name: 'own' } }],
    'the pod of another node is evicted': ['POST', `${pods}/other/eviction`, { metadata: { name: 'other' } }],
    'a missing pod is evicted': ['POST', `${pods}/missing/eviction`, { metadata: { name: 'missing' } }],
    'a pod is bound': [
      'POST',
      `${pods}/own/binding`,
      { metadata: { name: 'own' }, target: { kind: 'Node', name: 'one' } },
    ],
    'an ephemeral container': [
      patch,
      `${pods}/own/ephemeralcontainers`,
      { spec: { ephemeralContainers: [{ name: 'e', image: 'e' }] } },
    ],
  },
  nodes: {
    'another node is created': ['POST', nodes, { metadata: { name: 'three' } }],
    'another node is changed': [patch, `${nodes}/two`, { metadata: { labels: { a: 'b' } } }],
    'another node is deleted': ['DELETE', `${nodes}/two`],
    'it is deleted': ['DELETE', `${nodes}/one`],
    'its labels': [patch, `${nodes}/one`, { metadata: { labels: { a: 'b', 'example.com/a': 'b' } } }],
    'labels of Kubernetes': [
      patch,
      `${nodes}/one`,
      { metadata: { labels: { 'k8s.io/z': '', 'x.kubernetes.io/a': '', 'kubernetes.io/os': 'linux' } } },
    ],
    'own labels of Kubernetes': [
      patch,
      `${nodes}/one`,
      {
        metadata: {
          labels: {
            'topology.kubernetes.io/zone': 'a',
            'a.node.kubernetes.io/b': '',
            'kubelet.kubernetes.io/c': '',
          },
        },
      },
    ],
    'labels that restrict it': [
      patch,
      `${nodes}/one`,
      { metadata: { labels: { 'node-restriction.kubernetes.io/a': '' } } },
    ],
    'a label of Kubernetes is removed': [
      patch,
      `${nodes}/one`,
      { metadata: { labels: { 'example.k8s.io/a': null } } },
    ],
    'its taints': [patch, `${nodes}/one`, { spec: { taints: [{ key: 'a', effect: 'NoSchedule' }] } }],
    'its owners': [
      patch,
      `${nodes}/one`,
      { metadata: { ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'a', uid: 'a' }] } },
    ],
    'its status': [patch, `${nodes}/one/status`, { status: { capacity: { cpu: '1' } } }],
    'the status of another': [patch, `${nodes}/two/status`, { status: { capacity: { cpu: '1' } } }],
    'its taints through the status': [
      patch,
      `${nodes}/one/status`,
      { spec: { taints: [{ key: 'a', effect: 'NoSchedule' }] } },
    ],
  },
  claims: {
    'a size': ['PUT', `${claims}/claim/status`, claimStatus({ capacity: { storage: '2Gi' } })],
    'a phase': ['PUT', `${claims}/claim/status`, claimStatus({ phase: 'Lost' })],
    'a label': [patch, `${claims}/claim/status`, { metadata: { labels: { a: 'b' } } }],
    'a condition': [
      patch,
      `${claims}/claim/status`,
      { status: { conditions: [{ type: 'Resizing', status: 'True' }] } },
    ],
    'the claim itself': [patch, `${claims}/claim`, { metadata: { labels: { a: 'b' } } }],
    'a new claim': ['POST', claims, { ...claimStatus({}), metadata: { name: 'new' } }],
    'a deletion': ['DELETE', `${claims}/claim`],
  },
  tokens: {
    'no object': ['POST', token, {}],
    'a Secret': [
      'POST',
      token,
      { spec: { boundObjectRef: { apiVersion: 'v1', kind: 'Secret', name: 'a' } } },
    ],
    'a pod without a UID': ['POST', token, bound('own', '')],
    'a missing pod': ['POST', token, bound('missing', 'x')],
    'a pod with another UID': ['POST', token, bound('own', 'x')],
    'the pod of another node': ['POST', token, bound('other', '<other uid>')],
    'an own pod': ['POST', token, bound('own', '<own uid>')],
    'an audience': ['POST', token, bound('own', '<own uid>', ['a'])],
    'an unknown audience': ['POST', token, bound('own', '<own uid>', ['b'])],
    'two audiences': ['POST', token, bound('own', '<own uid>', ['a', 'b'])],
    'the audience of a driver': ['POST', token, bound('driven', '<driven uid>', ['driver'])],
    'an unknown audience of a driver': ['POST', token, bound('driven', '<driven uid>', ['b'])],
    'a missing claim': ['POST', token, bound('lost', '<lost uid>', ['b'])],
  },
  'own objects': {
    'its lease': ['POST', `${leases}/kube-node-lease/leases`, lease('one')],
    'another lease': ['POST', `${leases}/kube-node-lease/leases`, lease('two')],
    'a lease elsewhere': ['POST', `${leases}/default/leases`, lease('one')],
    'another lease is deleted': ['DELETE', `${leases}/kube-node-lease/leases/other`],
    'its CSINode': ['POST', csiNodes, csiNode('one')],
    'another CSINode': ['POST', csiNodes, csiNode('two')],
    'another CSINode is changed': [patch, `${csiNodes}/other`, { metadata: { labels: { a: 'b' } } }],
    'its ResourceSlice': ['POST', slices, slice({ nodeName: 'one' })],
    'another ResourceSlice': ['POST', slices, slice({ nodeName: 'two' })],
    'a ResourceSlice of all nodes': ['POST', slices, slice({ allNodes: true })],
    'another ResourceSlice is deleted': ['DELETE', `${slices}/other`],
    'a request for the API server': [
      'POST',
      requests,
      signing('kubernetes.io/kube-apiserver-client-kubelet'),
    ],
    'a request for serving': ['POST', requests, signing('kubernetes.io/kubelet-serving')],
    'a request of another signer': ['POST', requests, signing('example.com/signer')],
  },
};

async function createObjects(session: Session): Promise<Record<string, string>> {
  const uids: Record<string, string> = {};
  const create = async (path: string, object: any) => {
    const { code, body } = await session.post(path, object);
    expect(body.message ?? code).toBe(201);
    return body.metadata.uid;
  };
  const pod = (name: string, nodeName: string, source: object) => ({
    metadata: { name },
    spec: { nodeName, serviceAccountName: 'robot', containers: [container], ...volume(source) },
  });
  const projected = { sources: [{ serviceAccountToken: { path: 'a', audience: 'a' } }] };
  uids['node'] = await create(nodes, { metadata: { name: 'one', labels: { 'example.k8s.io/a': '' } } });
  await create(nodes, { metadata: { name: 'two' } });
  await create('/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'robot' } });
  await create(csiDrivers, {
    metadata: { name: 'd.example.com' },
    spec: { tokenRequests: [{ audience: 'driver' }], volumeLifecycleModes: ['Ephemeral'] },
  });
  uids['own'] = await create(pods, pod('own', 'one', { projected }));
  uids['other'] = await create(pods, pod('other', 'two', { emptyDir: {} }));
  uids['driven'] = await create(pods, pod('driven', 'one', { csi: { driver: 'd.example.com' } }));
  uids['lost'] = await create(pods, pod('lost', 'one', { persistentVolumeClaim: { claimName: 'lost' } }));
  await create(claims, claimStatus({}));
  await session.merge(`${claims}/claim/status`, { status: { phase: 'Bound' } });
  await create(`${leases}/kube-node-lease/leases`, lease('other'));
  await create(csiNodes, csiNode('other'));
  await create(slices, { ...slice({ nodeName: 'two' }), metadata: { name: 'other' } });
  return uids;
}

onEachServer('what nodes write', (server) => {
  let uids: Record<string, string> = {};

  beforeAll(async () => {
    uids = await createObjects(server.session);
    // Nodes may do everything here, so that admission decides.
    await server.session.post('/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
      metadata: { name: 'nodes' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'writer' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'system:nodes' }],
    });
    await server.session.post('/apis/rbac.authorization.k8s.io/v1/clusterroles', {
      metadata: { name: 'writer' },
      rules: [
        {
          verbs: ['create', 'update', 'patch', 'delete', 'deletecollection'],
          apiGroups: ['*'],
          resources: ['*'],
        },
      ],
    });
    // A real server sees new pods and nodes a little later.
    await until(async () => (await answer(...cases['tokens']!['a missing claim']!)).message.includes('lost'));
    await until(async () => (await answer(...cases['mirror pods']!['a mirror pod']!)) === 201);
  });

  async function answer(method: string, path: string, body?: object, user = 'system:node:one'): Promise<any> {
    const text = JSON.stringify(body ?? {}).replaceAll(/<(\w+) uid>/g, (_, name: string) => uids[name] ?? '');
    const answered = await server.session.send(method, `${path}?dryRun=All`, {
      headers: { 'impersonate-user': user, 'impersonate-group': 'system:nodes' },
      ...(method !== 'DELETE' && { raw: text }),
      ...(method === patch && { contentType: 'application/merge-patch+json' }),
    });
    if (answered.code < 400) return answered.code;
    const found: any = refusal(answered);
    for (const [name, uid] of Object.entries(uids))
      found.message = found.message.replaceAll(uid, `<${name} uid>`);
    // A real server shows what differs.
    found.message = found.message.replace(/(status\.conditions)(: .*)?$/s, '$1');
    return found;
  }

  test.each(Object.keys(cases))('%s', async (group) => {
    const found: Record<string, unknown> = {};
    for (const [title, [method, path, body]] of Object.entries(cases[group] ?? {}))
      found[title] = await answer(method, path, body);
    const file = `../recorded/node-restriction/${group.replaceAll(' ', '-')}.yaml`;
    await expect(asRecorded(found)).toMatchFileSnapshot(file);
  });

  test('a node without a name, and a user who is not a node', async () => {
    const found = {
      nameless: await answer('POST', nodes, { metadata: { name: 'three' } }, 'system:node:'),
      user: await answer('POST', nodes, { metadata: { name: 'three' } }, 'jane'),
    };
    await expect(asRecorded(found)).toMatchFileSnapshot('../recorded/node-restriction/users.yaml');
  });
});
