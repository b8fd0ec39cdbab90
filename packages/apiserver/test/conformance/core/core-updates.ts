import type { Change } from '../../support/kind-cases.ts';

/** Updates of objects of the smaller kinds: the stored object, and what replaces it. */
export const coreUpdates: Record<
  string,
  { path: string; base: any; cases: Record<string, Change>; subresource?: string }
> = {
  endpoints: {
    path: '/api/v1/namespaces/default/endpoints',
    base: { metadata: { name: 'changed' }, subsets: [{ addresses: [{ ip: '1.2.3.4' }] }] },
    cases: {
      nothing: () => {},
      'a bad address': (object) => (object.subsets[0].addresses[0].ip = 'x'),
      'a port': (object) => (object.subsets[0].ports = [{ port: 5 }]),
      none: (object) => delete object.subsets,
    },
  },
  'endpoint-slices': {
    path: '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices',
    base: {
      metadata: { name: 'changed' },
      addressType: 'IPv4',
      endpoints: [{ addresses: ['1.2.3.4'] }],
      ports: [],
    },
    cases: {
      nothing: () => {},
      'another type': (object) => (object.addressType = 'IPv6'),
      'a label': (object) => (object.metadata.labels = { a: 'b' }),
      'an annotation': (object) => (object.metadata.annotations = { a: 'b' }),
      'an address': (object) => object.endpoints[0].addresses.push('1.2.3.5'),
      'a port': (object) => (object.ports = [{ port: 5 }]),
    },
  },
  claims: {
    path: '/api/v1/namespaces/default/persistentvolumeclaims',
    base: {
      metadata: { name: 'changed' },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '2Gi' } } },
    },
    cases: {
      nothing: () => {},
      'a volume': (object) => (object.spec.volumeName = 'v'),
      'a class': (object) => (object.spec.storageClassName = 'c'),
      'a class of attributes': (object) => (object.spec.volumeAttributesClassName = 'c'),
      'a status': (object) => (object.status.phase = 'Bound'),
      'no finalizer': (object) => delete object.metadata.finalizers,
    },
  },
  'claim-status': {
    path: '/api/v1/namespaces/default/persistentvolumeclaims',
    base: {
      metadata: { name: 'reported' },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '2Gi' } } },
    },
    subresource: '/status',
    cases: {
      bound: (object) => (object.status = { phase: 'Bound', capacity: { storage: '2Gi' } }),
      'a negative capacity': (object) => (object.status.capacity = { storage: '-1' }),
      'a size': (object) => (object.spec.resources.requests.storage = '3Gi'),
      'bad resources': (object) => {
        object.status.allocatedResources = { cpu: '1', '-x': '1', storage: '-1' };
        object.status.allocatedResourceStatuses = { storage: 'x' };
      },
    },
  },
  volumes: {
    path: '/api/v1/persistentvolumes',
    base: {
      metadata: { name: 'changed' },
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce'],
        csi: { driver: 'd', volumeHandle: 'h' },
      },
    },
    cases: {
      nothing: () => {},
      'a size': (object) => (object.spec.capacity.storage = '2Gi'),
      'a claim': (object) => (object.spec.claimRef = { name: 'a', namespace: 'b' }),
      'a policy': (object) => (object.spec.persistentVolumeReclaimPolicy = 'Delete'),
      'a secret to expand with': (object) =>
        (object.spec.csi.controllerExpandSecretRef = { name: 'a', namespace: 'b' }),
      'another mode': (object) => (object.spec.volumeMode = 'Block'),
      'a status': (object) => (object.status.phase = 'Bound'),
    },
  },
  'volume-status': {
    path: '/api/v1/persistentvolumes',
    base: {
      metadata: { name: 'reported' },
      spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/a' } },
    },
    subresource: '/status',
    cases: {
      bound: (object) => (object.status = { phase: 'Bound' }),
      'at a time': (object) =>
        (object.status = { phase: 'Bound', lastPhaseTransitionTime: '2026-01-01T00:00:00Z' }),
      'a message': (object) => (object.status.message = 'm'),
    },
  },
  nodes: {
    path: '/api/v1/nodes',
    base: {
      metadata: { name: 'changed' },
      spec: { podCIDR: '10.1.0.0/24', providerID: 'p' },
      status: { capacity: { cpu: '1' } },
    },
    cases: {
      nothing: () => {},
      'another range': (object) => (object.spec.podCIDRs = ['10.2.0.0/24']),
      'no range': (object) => {
        delete object.spec.podCIDR;
        delete object.spec.podCIDRs;
      },
      'another provider': (object) => (object.spec.providerID = 'q'),
      'an old id': (object) => (object.spec.externalID = 'q'),
      unschedulable: (object) => (object.spec.unschedulable = true),
      'no taints': (object) => delete object.spec.taints,
      'bad taints': (object) => (object.spec.taints = [{ key: '-', effect: '' }]),
      'a status': (object) => (object.status.capacity = { cpu: '2' }),
    },
  },
  'node-status': {
    path: '/api/v1/nodes',
    base: { metadata: { name: 'reported' } },
    subresource: '/status',
    cases: {
      'a capacity': (object) => (object.status.capacity = { cpu: '2' }),
      'a bad capacity': (object) => (object.status.capacity = { pods: '0.5' }),
      'one address twice': (object) =>
        (object.status.addresses = [
          { type: 'Hostname', address: 'a' },
          { type: 'Hostname', address: 'a' },
        ]),
      'a taint': (object) => (object.spec.taints = []),
      'a condition': (object) => (object.status.conditions = [{ type: 'Ready', status: 'True' }]),
    },
  },
  'resource-quotas': {
    path: '/api/v1/namespaces/default/resourcequotas',
    base: { metadata: { name: 'changed' }, spec: { hard: { pods: '1' }, scopes: ['BestEffort'] } },
    cases: {
      nothing: () => {},
      more: (object) => (object.spec.hard.pods = '2'),
      'other scopes': (object) => (object.spec.scopes = ['NotBestEffort']),
      'no scopes': (object) => delete object.spec.scopes,
    },
  },
  'resource-quota-status': {
    path: '/api/v1/namespaces/default/resourcequotas',
    base: { metadata: { name: 'reported' }, spec: { hard: { pods: '1' } } },
    subresource: '/status',
    cases: {
      used: (object) => (object.status = { hard: { pods: '1' }, used: { pods: '0' } }),
      'badly used': (object) => (object.status = { hard: { foo: '1' }, used: { pods: '-1' } }),
    },
  },
  'limit-ranges': {
    path: '/api/v1/namespaces/default/limitranges',
    base: { metadata: { name: 'changed' }, spec: { limits: [{ type: 'Container', max: { cpu: '1' } }] } },
    cases: {
      nothing: () => {},
      less: (object) => (object.spec.limits[0].max.cpu = '500m'),
    },
  },
};
