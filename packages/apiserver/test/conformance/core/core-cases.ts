const claim = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
const volume = { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/x' } };
const { hostPath: _, ...nowhere } = volume;
const container = (limit: object) => ({ spec: { limits: [{ type: 'Container', ...limit }] } });
const address = (list: unknown[], more: object = {}) => ({
  addressType: 'IPv4',
  endpoints: [{ addresses: list, ...more }],
  ports: [{ port: 80 }],
});
const ip = '1.2.3.4';
const numbered = (count: number) => Array.from({ length: count }, (_unused, index) => `n${index}`);
const scoped = (...matchExpressions: object[]) => ({
  spec: { hard: { pods: '1', services: '1' }, scopeSelector: { matchExpressions } },
});

/** Objects of the smaller kinds, by kind and by what is special about them. */
export const coreCases: Record<string, { path: string; cases: Record<string, any> }> = {
  endpoints: {
    path: '/api/v1/namespaces/default/endpoints',
    cases: {
      nothing: {},
      'no addresses': { subsets: [{}] },
      'an address': { subsets: [{ addresses: [{ ip }], ports: [{ port: 80 }] }] },
      'bad ones': {
        subsets: [
          {
            addresses: [{ ip: '127.0.0.1' }, { ip: 'x' }, { ip: '01.2.3.4' }, { ip: '::1' }, { ip: '' }],
            notReadyAddresses: [{ ip: '0.0.0.0', hostname: 'A_b', nodeName: 'A_' }],
            ports: [
              { port: 0, protocol: 'X' },
              { port: 1, name: 'A' },
              { port: 2, appProtocol: '-' },
            ],
          },
        ],
      },
      'an odd address': { subsets: [{ addresses: [{ ip: '2001:DB8::0:1' }], ports: [{ port: 80 }] }] },
      'no ports': { subsets: [{ addresses: [{ ip, targetRef: { kind: 'Pod', name: 'p' } }] }] },
    },
  },
  'endpoint-slices': {
    path: '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices',
    cases: {
      nothing: {},
      'an address': address([ip]),
      'no address': address([]),
      'too many addresses': address(numbered(101).map((_unused, index) => `1.2.3.${index}`)),
      'bad addresses': address(['x', '127.0.0.1', 'fd00::1', '01.2.3.4', '::ffff:1.2.3.4']),
      IPv6: { ...address(['fd00::1', 'FD00::1', ip, 'fe80::1', 'x']), addressType: 'IPv6' },
      domains: { ...address(['a.b', 'a', 'A_', '', 'a.b.', 'a..b']), addressType: 'FQDN' },
      'a domain': { ...address(['a.b']), addressType: 'FQDN' },
      'an unknown type': { ...address(['a']), addressType: 'X' },
      'no type': { endpoints: [] },
      ports: {
        ...address([ip]),
        ports: [
          {},
          { name: 'A' },
          { name: 'a', protocol: 'X' },
          { name: 'a', port: 70_000, appProtocol: '-' },
        ],
      },
      'all ports': { ...address([ip]), ports: null },
      'a node': address([ip], { nodeName: 'A_', hostname: 'A_', zone: 'z' }),
      hints: address([ip], {
        hints: {
          forZones: [{ name: 'a' }, { name: 'a' }, { name: '!' }],
          forNodes: [{ name: 'n' }, { name: 'n' }, { name: 'A_' }],
        },
      }),
      'too many zones': address([ip], { hints: { forZones: numbered(9).map((name) => ({ name })) } }),
      'too many nodes': address([ip], { hints: { forNodes: numbered(9).map((name) => ({ name })) } }),
      topology: address([ip], { deprecatedTopology: { a: 'b' } }),
      conditions: address([ip], { conditions: { ready: true } }),
      'too many': { addressType: 'IPv4', endpoints: numbered(1001).map(() => ({ addresses: [ip] })) },
    },
  },
  'limit-ranges': {
    path: '/api/v1/namespaces/default/limitranges',
    cases: {
      nothing: {},
      'of containers': container({ max: { cpu: '1' }, min: { memory: '1Mi' } }),
      none: { spec: { limits: [] } },
      null: { spec: { limits: null } },
      'defaults of pods': {
        spec: { limits: [{ type: 'Pod', default: { cpu: '1' }, defaultRequest: { cpu: '1' } }] },
      },
      'one type twice': { spec: { limits: [{ type: 'Pod' }, { type: 'Pod' }] } },
      types: { spec: { limits: [{ type: '' }, { type: 'Foo' }, { type: 'a.b/c' }] } },
      claims: { spec: { limits: [{ type: 'PersistentVolumeClaim' }] } },
      'claims of a size': { spec: { limits: [{ type: 'PersistentVolumeClaim', max: { storage: '1Gi' } }] } },
      'claims of an unknown size': {
        spec: { limits: [{ type: 'PersistentVolumeClaim', max: { storage: '1Gi', foo: '1' } }] },
      },
      'in no order': container({
        min: { cpu: '2' },
        max: { cpu: '1' },
        default: { cpu: '3' },
        defaultRequest: { cpu: '4' },
        maxLimitRequestRatio: { cpu: '0.5' },
      }),
      'a ratio': container({ min: { cpu: '1' }, max: { cpu: '2' }, maxLimitRequestRatio: { cpu: '3' } }),
      resources: container({
        max: { foo: '1', 'a.b/c': '1', '-x': '1', storage: '1', 'hugepages-2Mi': '4Mi' },
      }),
      'huge pages': container({
        default: { 'hugepages-2Mi': '4Mi' },
        defaultRequest: { 'hugepages-2Mi': '2Mi' },
      }),
      'odd amounts': container({
        max: { cpu: '0.5', memory: '1024Mi' },
        min: { cpu: '0.00011' },
        maxLimitRequestRatio: { cpu: '2.50' },
      }),
    },
  },
  'resource-quotas': {
    path: '/api/v1/namespaces/default/resourcequotas',
    cases: {
      nothing: {},
      amounts: {
        spec: {
          hard: {
            pods: '10',
            cpu: '1',
            'requests.cpu': '0.5',
            'count/deployments.apps': '2',
            'requests.nvidia.com/gpu': '1',
          },
        },
      },
      'bad amounts': {
        spec: { hard: { foo: '1', pods: '1.5', cpu: '-1', 'a.b/c': '0.5', storage: '1', '-x': '1' } },
      },
      'a scope': { spec: { hard: { pods: '1', services: '2' }, scopes: ['BestEffort'] } },
      'bad scopes': { spec: { hard: { pods: '1' }, scopes: ['BestEffort', 'NotBestEffort', 'X'] } },
      'all scopes': {
        spec: {
          scopes: [
            'Terminating',
            'NotTerminating',
            'PriorityClass',
            'CrossNamespacePodAffinity',
            'VolumeAttributesClass',
          ],
          hard: { pods: '1', 'requests.storage': '1Gi' },
        },
      },
      'a selector': {
        spec: {
          hard: { pods: '1' },
          scopeSelector: {
            matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In', values: ['a'] }],
          },
        },
      },
      'bad selectors': scoped(
        { scopeName: 'X', operator: 'Y' },
        { scopeName: 'BestEffort', operator: 'In' },
        { scopeName: 'PriorityClass', operator: 'Exists', values: ['a'] },
        { scopeName: 'PriorityClass', operator: 'In' },
      ),
      'selectors that exclude each other': scoped(
        { scopeName: 'Terminating', operator: 'Exists' },
        { scopeName: 'NotTerminating', operator: 'Exists' },
      ),
      'a status': { spec: { hard: { pods: '1' } }, status: { hard: { pods: '2' } } },
    },
  },
  'service-accounts': {
    path: '/api/v1/namespaces/default/serviceaccounts',
    cases: {
      nothing: {},
      everything: {
        automountServiceAccountToken: false,
        imagePullSecrets: [{ name: 'a' }],
        secrets: [{ name: 'b' }],
      },
    },
  },
  claims: {
    path: '/api/v1/namespaces/default/persistentvolumeclaims',
    cases: {
      nothing: {},
      'a size': { spec: claim },
      'bad modes': {
        spec: {
          accessModes: ['X', 'ReadWriteOncePod', 'ReadWriteOnce'],
          resources: { requests: { storage: '0' } },
        },
      },
      'no size': { spec: { ...claim, resources: { requests: { cpu: '1' } } } },
      'a negative size': { spec: { ...claim, resources: { requests: { storage: '-1Gi' } } } },
      'half a byte': {
        spec: { ...claim, resources: { requests: { storage: '0.5' }, limits: { storage: '1500m' } } },
      },
      'a bad class': { spec: { ...claim, storageClassName: 'A_b', volumeMode: 'X' } },
      'no class': {
        spec: { ...claim, storageClassName: '', resources: { requests: { storage: '1024Mi' } } },
      },
      'a class in an annotation': {
        metadata: { annotations: { 'volume.beta.kubernetes.io/storage-class': 'a' } },
        spec: claim,
      },
      'a bad selector': {
        spec: {
          ...claim,
          selector: { matchLabels: { '-': '!' }, matchExpressions: [{ key: 'a', operator: 'X' }] },
        },
      },
      'a source': { spec: { ...claim, dataSource: { kind: 'PersistentVolumeClaim', name: 'p' } } },
      'an unknown source': { spec: { ...claim, dataSource: { kind: 'Foo', name: 'p' } } },
      'a source of any kind': {
        spec: { ...claim, dataSourceRef: { kind: 'Foo', name: 'p', apiGroup: 'x.y' } },
      },
      'a bad source': { spec: { ...claim, dataSourceRef: { kind: 'Foo', name: '' } } },
      'a source elsewhere': {
        spec: { ...claim, dataSourceRef: { kind: 'Foo', name: 'p', apiGroup: 'x.y', namespace: 'z' } },
      },
      'two sources': {
        spec: {
          ...claim,
          dataSource: { kind: 'PersistentVolumeClaim', name: 'p' },
          dataSourceRef: { kind: 'PersistentVolumeClaim', name: 'q' },
        },
      },
      'a bad class of attributes': { spec: { ...claim, volumeAttributesClassName: 'A_' } },
      'a status': { spec: claim, status: { phase: 'Bound' } },
    },
  },
  volumes: {
    path: '/api/v1/persistentvolumes',
    cases: {
      nothing: {},
      'a folder': { spec: volume },
      'bad modes': { spec: { ...volume, accessModes: ['X', 'ReadWriteOncePod', 'ReadOnlyMany'] } },
      'bad capacities': { spec: { ...volume, capacity: { storage: '0', cpu: '-1' } } },
      'another capacity': { spec: { ...volume, capacity: { foo: '1' } } },
      'an odd capacity': { spec: { ...volume, capacity: { storage: '1024Mi' } } },
      'no source': { spec: nowhere },
      'two sources': { spec: { ...volume, nfs: { server: 'a', path: '/b' } } },
      'three sources': {
        spec: { ...volume, cephfs: { monitors: ['a'] }, csi: { driver: 'x', volumeHandle: 'y' } },
      },
      'a bad share': { spec: { ...nowhere, nfs: { server: '', path: 'b' } } },
      'a bad folder': { spec: { ...volume, hostPath: { path: '/a/../b', type: 'X' } } },
      'no folder': { spec: { ...volume, hostPath: { path: '' } } },
      'a local folder': { spec: { ...nowhere, local: { path: '/a' } } },
      'a local folder without a path': { spec: { ...nowhere, local: { path: '' }, nodeAffinity: {} } },
      'a local folder without nodes': {
        spec: { ...nowhere, local: { path: '/a/..' }, nodeAffinity: { required: { nodeSelectorTerms: [] } } },
      },
      'a local folder of a node': {
        spec: {
          ...nowhere,
          local: { path: '/a' },
          nodeAffinity: {
            required: {
              nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'In', values: ['b'] }] }],
            },
          },
        },
      },
      'no driver': { spec: { ...nowhere, csi: { driver: '', volumeHandle: '', nodePublishSecretRef: {} } } },
      'a bad driver': {
        spec: {
          ...nowhere,
          csi: {
            driver: 'A_'.repeat(40),
            volumeHandle: 'x',
            nodeExpandSecretRef: { name: 'A_', namespace: 'a.b' },
          },
        },
      },
      'a driver': { spec: { ...nowhere, csi: { driver: 'A.b', volumeHandle: 'x' } } },
      'a disk': { spec: { ...nowhere, gcePersistentDisk: { pdName: '' } } },
      'bad policies': {
        spec: { ...volume, persistentVolumeReclaimPolicy: 'X', volumeMode: 'Y', storageClassName: 'A_' },
      },
      'the whole host': {
        spec: { ...volume, persistentVolumeReclaimPolicy: 'Recycle', hostPath: { path: '//' } },
      },
      'no class of attributes': { spec: { ...volume, volumeAttributesClassName: '' } },
      'a bad class of attributes': { spec: { ...volume, volumeAttributesClassName: 'A_' } },
      'a claim': { spec: { ...volume, claimRef: { name: 'a', namespace: 'b' } } },
      'a status': { spec: volume, status: { phase: 'Bound' } },
      'options to mount with': {
        metadata: { annotations: { 'volume.beta.kubernetes.io/mount-options': 'x' } },
        spec: volume,
      },
    },
  },
  nodes: {
    path: '/api/v1/nodes',
    cases: {
      nothing: {},
      'a range and a taint': {
        spec: { podCIDR: '10.1.0.0/24', taints: [{ key: 'a', effect: 'NoSchedule' }] },
      },
      'a bad range': { spec: { podCIDRs: ['x'] } },
      'different ranges': { spec: { podCIDR: '10.1.0.0/24', podCIDRs: ['10.2.0.0/24'] } },
      'ranges of both families': { spec: { podCIDRs: ['10.1.0.0/24', 'fd00::/64'] } },
      'ranges of one family': { spec: { podCIDRs: ['10.1.0.0/24', '10.2.0.0/24'] } },
      'bad taints': {
        spec: {
          taints: [
            { key: '', effect: '' },
            { key: 'a', effect: 'X', value: '!' },
            { key: 'a', value: 'v', effect: 'NoSchedule' },
            { key: 'a', effect: 'NoSchedule' },
          ],
        },
      },
      'bad amounts': {
        status: { capacity: { cpu: '1', pods: '1.5', memory: '-1' }, allocatable: { cpu: '-1' } },
      },
      amounts: { status: { capacity: { cpu: '0.5', memory: '1024Mi' } } },
      unschedulable: { spec: { unschedulable: true, providerID: 'x' } },
      'an old source of configuration': {
        spec: { configSource: { configMap: { name: 'a', namespace: 'b', kubeletConfigKey: 'c' } } },
      },
      'a taint that it gets anyway': {
        spec: { taints: [{ key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }] },
      },
    },
  },
};
