/** An object, and strategic merge patches of it. */
export interface PatchedObject {
  /** The path of its collection. */
  path: string;
  /** The object without its name. */
  object: Record<string, unknown>;
  /** The subresource to patch. */
  subresource?: string;
  /** The field to compare. The rest differs by the defaults that a real server adds. */
  field: string;
  /** The patches of that field, by what they show. Each applies to its own object. */
  patches: Record<string, unknown>;
}

const namespaced = (group: string, plural: string) => `${group}/namespaces/default/${plural}`;
const configMaps = namespaced('/api/v1', 'configmaps');
const podTemplates = namespaced('/api/v1', 'podtemplates');
const deployments = namespaced('/apis/apps/v1', 'deployments');

const labels = { app: 'a' };
const podTemplate = (spec: object) => ({ template: { metadata: { labels }, spec } });
const deployment = (spec: object) => ({
  spec: {
    selector: { matchLabels: labels },
    ...podTemplate({ containers: [{ name: 'a', image: 'i' }] }),
    ...spec,
  },
});
const owner = (name: string, uid: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', name, uid });

/** Valid strategic merge patches, by subject. */
export const patchedObjects: Record<string, PatchedObject> = {
  finalizers: {
    path: configMaps,
    object: { metadata: { finalizers: ['a.b/a', 'a.b/b', 'a.b/c'] } },
    field: 'metadata.finalizers',
    patches: {
      'a new one stands in front': ['a.b/d'],
      'two new ones keep their order': ['a.b/z', 'a.b/d'],
      'one that is there stays where it is': ['a.b/b'],
      'a new one, then one that is there': ['a.b/d', 'a.b/b'],
      'one that is there, then a new one': ['a.b/b', 'a.b/d'],
      'two in another order': ['a.b/c', 'a.b/a'],
      'one twice': ['a.b/d', 'a.b/d'],
      'an empty list': [],
      null: null,
      'another type': { a: 'b' },
    },
  },
  'metadata with directives': {
    path: configMaps,
    object: {
      metadata: { finalizers: ['a.b/a', 'a.b/b', 'a.b/c'], labels: { a: '1', b: '2' } },
    },
    field: 'metadata',
    patches: {
      'a deletion': { '$deleteFromPrimitiveList/finalizers': ['a.b/b'] },
      'a deletion of what is not there': { '$deleteFromPrimitiveList/finalizers': ['a.b/x'] },
      'a deletion of all': { '$deleteFromPrimitiveList/finalizers': ['a.b/a', 'a.b/b', 'a.b/c'] },
      'a deletion that is null': { '$deleteFromPrimitiveList/finalizers': null },
      'a deletion that is no list': { '$deleteFromPrimitiveList/finalizers': 'a.b/a' },
      'a deletion from a list that is not there': { '$deleteFromPrimitiveList/nope': ['a.b/b'] },
      'deletion and addition': {
        '$deleteFromPrimitiveList/finalizers': ['a.b/b'],
        finalizers: ['a.b/d'],
      },
      'an order': { '$setElementOrder/finalizers': ['a.b/c', 'a.b/a'] },
      'an order with a new one at its end': {
        '$setElementOrder/finalizers': ['a.b/a', 'a.b/b', 'a.b/c', 'a.b/d'],
        finalizers: ['a.b/d'],
      },
      'an order, deletion and addition': {
        '$setElementOrder/finalizers': ['a.b/c', 'a.b/d', 'a.b/a'],
        '$deleteFromPrimitiveList/finalizers': ['a.b/b'],
        finalizers: ['a.b/d'],
      },
      'an order of nothing': { '$setElementOrder/finalizers': [] },
      'null deletes a label': { labels: { a: null, c: '3' } },
      'labels replaced': { labels: { $patch: 'replace', c: '3' } },
      'labels deleted': { labels: { $patch: 'delete' } },
      'labels as null': { labels: null },
      'fields retained': { $retainKeys: ['name', 'labels', 'uid'], labels: { a: '0' } },
    },
  },
  owners: {
    path: configMaps,
    object: { metadata: { ownerReferences: [owner('a', 'u1'), owner('b', 'u2')] } },
    field: 'metadata.ownerReferences',
    patches: {
      'one by its uid': [{ uid: 'u1', name: 'renamed' }],
      'a new one stands in front': [owner('c', 'u3')],
      'one deleted': [{ uid: 'u2', $patch: 'delete' }],
      'all replaced': [{ $patch: 'replace' }, owner('c', 'u3')],
      'all deleted by an empty replacement': [{ $patch: 'replace' }],
      null: null,
    },
  },
  'data of a ConfigMap': {
    path: configMaps,
    object: { data: { a: '1', b: '2' } },
    field: 'data',
    patches: {
      'a value': { a: '0' },
      'a directive replaces': { $patch: 'replace', c: '3' },
      'a directive deletes': { $patch: 'delete' },
      'a directive inside of a new value goes': { c: '3', d: { $patch: 'delete' } },
      'keys of the prototype': { constructor: 'x', toString: 'y' },
      'retained keys': { $retainKeys: ['b', 'c'], c: '3' },
    },
  },
  containers: {
    path: podTemplates,
    object: podTemplate({
      containers: [
        { name: 'a', image: 'i1', command: ['x', 'y'] },
        { name: 'b', image: 'i2', args: ['z'] },
      ],
    }),
    field: 'template.spec',
    patches: {
      'one changed': { containers: [{ name: 'b', image: 'new' }] },
      'one added': { containers: [{ name: 'c', image: 'i3' }] },
      'one added in order': {
        '$setElementOrder/containers': [{ name: 'a' }, { name: 'b' }, { name: 'c' }],
        containers: [{ name: 'c', image: 'i3' }],
      },
      'one deleted': { containers: [{ name: 'a', $patch: 'delete' }] },
      'one deleted that is not there': { containers: [{ name: 'x', $patch: 'delete' }] },
      'all replaced': { containers: [{ $patch: 'replace' }, { name: 'c', image: 'i3' }] },
      'order only': { '$setElementOrder/containers': [{ name: 'b' }, { name: 'a' }] },
      'order of one': { '$setElementOrder/containers': [{ name: 'b' }] },
      'order, one deleted, one added': {
        '$setElementOrder/containers': [{ name: 'c' }],
        containers: [
          { name: 'a', $patch: 'delete' },
          { name: 'c', image: 'i3' },
        ],
      },
      'order, one deleted, two added': {
        '$setElementOrder/containers': [{ name: 'd' }, { name: 'c' }],
        containers: [
          { name: 'd', image: 'i4' },
          { name: 'c', image: 'i3' },
          { name: 'b', $patch: 'delete' },
        ],
      },
      'lists without a strategy are replaced': { containers: [{ name: 'a', command: ['z'] }] },
      'lists without a strategy are emptied': { containers: [{ name: 'a', command: null }] },
      'one added with nulls inside': {
        containers: [{ name: 'c', image: 'i3', command: null, env: [{ name: 'E', value: null }] }],
      },
      'the same one twice': {
        containers: [
          { name: 'c', image: 'i3' },
          { name: 'c', args: ['q'] },
        ],
      },
      'unknown fields are dropped': { containers: [{ name: 'a', nope: 1 }], nope: { a: 1 } },
      'initContainers appear': { initContainers: [{ name: 'c', image: 'i3' }] },
      'initContainers appear in order': {
        '$setElementOrder/initContainers': [{ name: 'd' }, { name: 'c' }],
        initContainers: [
          { name: 'd', image: 'i4' },
          { name: 'c', image: 'i3' },
        ],
      },
      'an order of a list that is not there': { '$setElementOrder/initContainers': [{ name: 'd' }] },
    },
  },
  'what containers hold': {
    path: podTemplates,
    object: podTemplate({
      containers: [
        {
          name: 'a',
          image: 'i',
          env: [
            { name: 'A', value: '1' },
            { name: 'B', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.name' } } },
          ],
          envFrom: [{ configMapRef: { name: 'c' } }],
          ports: [{ containerPort: 80, name: 'http' }, { containerPort: 443 }],
          volumeMounts: [{ name: 'v', mountPath: '/a' }],
          resources: { limits: { cpu: '1', memory: '1Gi' } },
          livenessProbe: { httpGet: { path: '/', port: 'http', scheme: 'HTTP' } },
        },
      ],
      volumes: [{ name: 'v', emptyDir: {} }],
    }),
    field: 'template.spec.containers',
    patches: {
      'a variable changed': [{ name: 'a', env: [{ name: 'A', value: '2' }] }],
      'a variable added': [{ name: 'a', env: [{ name: 'C', value: '3' }] }],
      'a variable deleted': [{ name: 'a', env: [{ name: 'A', $patch: 'delete' }] }],
      'a source replaced by a value': [{ name: 'a', env: [{ name: 'B', valueFrom: null, value: '2' }] }],
      'variables in order': [
        {
          name: 'a',
          '$setElementOrder/env': [{ name: 'C' }, { name: 'B' }, { name: 'A' }],
          env: [{ name: 'C', value: '3' }],
        },
      ],
      'all variables deleted': [{ name: 'a', env: null }],
      'sources of variables are replaced': [{ name: 'a', envFrom: [{ secretRef: { name: 's' } }] }],
      'a port by its number': [{ name: 'a', ports: [{ containerPort: 443, name: 'https' }] }],
      'a port added': [{ name: 'a', ports: [{ containerPort: 8080 }] }],
      'a port deleted': [{ name: 'a', ports: [{ containerPort: 80, $patch: 'delete' }] }],
      'a mount by its path': [{ name: 'a', volumeMounts: [{ mountPath: '/a', readOnly: true }] }],
      'a mount added': [{ name: 'a', volumeMounts: [{ mountPath: '/b', name: 'v' }] }],
      'a limit changed and one deleted': [{ name: 'a', resources: { limits: { cpu: '2', memory: null } } }],
      'a probe at a number': [{ name: 'a', livenessProbe: { httpGet: { port: 80 } } }],
      'another probe': [{ name: 'a', livenessProbe: { httpGet: null, tcpSocket: { port: 'http' } } }],
    },
  },
  'what else a pod holds': {
    path: podTemplates,
    object: podTemplate({
      containers: [{ name: 'a', image: 'i' }],
      volumes: [
        { name: 'v', emptyDir: {} },
        { name: 'w', hostPath: { path: '/x', type: '' } },
      ],
      tolerations: [{ key: 'x', operator: 'Exists', effect: 'NoSchedule' }],
      imagePullSecrets: [{ name: 's' }],
      hostAliases: [{ ip: '1.2.3.4', hostnames: ['a', 'b'] }],
      nodeSelector: { a: '1', b: '2' },
      topologySpreadConstraints: [
        { topologyKey: 'zone', maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule', labelSelector: {} },
      ],
      readinessGates: [{ conditionType: 'x' }],
    }),
    field: 'template.spec',
    patches: {
      'a volume of another type': {
        volumes: [
          { name: 'v', $retainKeys: ['name', 'configMap'], configMap: { name: 'c', optional: true } },
        ],
      },
      'a volume added': { volumes: [{ name: 'u', emptyDir: { medium: 'Memory' } }] },
      'a volume deleted': { volumes: [{ name: 'w', $patch: 'delete' }] },
      'tolerations are replaced': { tolerations: [{ key: 'y', operator: 'Exists' }] },
      'a pull secret added': { imagePullSecrets: [{ name: 't' }] },
      'a pull secret deleted': { imagePullSecrets: [{ name: 's', $patch: 'delete' }] },
      'host names of an address': { hostAliases: [{ ip: '1.2.3.4', hostnames: ['c'] }] },
      'a node selector': { nodeSelector: { a: null, c: '3' } },
      'a spread constraint by its key': { topologySpreadConstraints: [{ topologyKey: 'zone', maxSkew: 2 }] },
      'readiness gates are replaced': { readinessGates: [{ conditionType: 'y' }] },
      'a scalar': { terminationGracePeriodSeconds: 5 },
    },
  },
  'the strategy of a Deployment': {
    path: deployments,
    object: deployment({
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: '25%' } },
    }),
    field: 'spec.strategy',
    patches: {
      'retained keys': { $retainKeys: ['type'], type: 'Recreate' },
      'int-or-string': { rollingUpdate: { maxSurge: '50%', maxUnavailable: 2 } },
      replaced: { $patch: 'replace', type: 'Recreate' },
    },
  },
  'the ports of a Service': {
    path: namespaced('/api/v1', 'services'),
    object: {
      spec: {
        clusterIP: 'None',
        selector: { a: '1' },
        ports: [
          { name: 'http', port: 80, targetPort: 8080 },
          { name: 'https', port: 443, targetPort: 'tls' },
        ],
      },
    },
    field: 'spec.ports',
    patches: {
      'by their number': [{ port: 80, targetPort: 'web' }],
      'one added': [{ name: 'metrics', port: 9090, targetPort: 9090 }],
      'one deleted': [{ port: 443, $patch: 'delete' }],
    },
  },
  'the secrets of a ServiceAccount': {
    path: namespaced('/api/v1', 'serviceaccounts'),
    object: { secrets: [{ name: 'a' }, { name: 'b' }] },
    field: 'secrets',
    patches: {
      'one added': [{ name: 'c' }],
      'one that is there, and a new one': [{ name: 'b' }, { name: 'c' }],
      'one deleted': [{ name: 'a', $patch: 'delete' }],
    },
  },
  'the conditions of a Deployment': {
    path: deployments,
    subresource: 'status',
    object: deployment({}),
    field: 'status.conditions',
    patches: {
      'the first one': [{ type: 'Available', status: 'True' }],
      'two of them': [
        { type: 'Available', status: 'True' },
        { type: 'Progressing', status: 'False', reason: 'r' },
      ],
    },
  },
  'the addresses of a Node': {
    path: '/api/v1/nodes',
    subresource: 'status',
    object: {},
    field: 'status.addresses',
    patches: {
      'two of one type become one': [
        { type: 'InternalIP', address: '10.0.0.1' },
        { type: 'Hostname', address: 'n' },
      ],
    },
  },
  'the CIDRs of a Node': {
    path: '/api/v1/nodes',
    object: {},
    field: 'spec.podCIDRs',
    patches: { 'set at last': ['10.0.0.0/24', 'fd00::/64'] },
  },
  'the selector of a PodDisruptionBudget': {
    path: namespaced('/apis/policy/v1', 'poddisruptionbudgets'),
    object: { spec: { minAvailable: 1, selector: { matchLabels: { a: '1' } } } },
    field: 'spec',
    patches: {
      'the selector is replaced': { selector: { matchLabels: { b: '2' } } },
      'int-or-string': { minAvailable: '50%' },
      'one for the other': { minAvailable: null, maxUnavailable: 1 },
    },
  },
  'the rules of a Role': {
    path: namespaced('/apis/rbac.authorization.k8s.io/v1', 'roles'),
    object: { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get', 'list'] }] },
    field: 'rules',
    patches: {
      'they are replaced': [{ apiGroups: ['apps'], resources: ['deployments'], verbs: ['*'] }],
      'they are emptied': [],
    },
  },
  'the limits of a ResourceQuota': {
    path: namespaced('/api/v1', 'resourcequotas'),
    object: { spec: { hard: { pods: '1', services: '2' } } },
    field: 'spec.hard',
    patches: { 'a map of quantities': { pods: '3', services: null, configmaps: '4' } },
  },
};

/** Patches that do not match a PodTemplate with one container. */
export const misfits: Record<string, unknown> = {
  'a container without its merge key': { template: { spec: { containers: [{ image: 'x' }] } } },
  'a deletion without its merge key': { template: { spec: { containers: [{ $patch: 'delete' }] } } },
  'a merge of a list': { template: { spec: { containers: [{ name: 'a', $patch: 'merge' }] } } },
  'an unknown directive in a list': { template: { spec: { containers: [{ name: 'a', $patch: 'x' }] } } },
  'an unknown directive': { metadata: { labels: { $patch: 'x', a: 'b' } } },
  'a directive that is a number': { metadata: { labels: { $patch: 3 } } },
  'a directive that is null': { metadata: { labels: { $patch: null } } },
  'a merge of a map': { metadata: { labels: { $patch: 'merge' } } },
  'retained keys without what is set': { metadata: { $retainKeys: ['name'], labels: { a: 'b' } } },
  'retained keys that are no list': { metadata: { $retainKeys: 'name' } },
  'an order that is no list': { metadata: { '$setElementOrder/finalizers': 'x' } },
  'an order that is null': { metadata: { '$setElementOrder/finalizers': null } },
  'an order of nothing in particular': { metadata: { $setElementOrder: [] } },
  'an order of an unknown field': { metadata: { '$setElementOrder/nope': [] } },
  'an order of a map': { metadata: { '$setElementOrder/labels': [] } },
  'an order of what is no list in the patch': {
    metadata: { '$setElementOrder/finalizers': [], finalizers: 'x' },
  },
  'an order without merge keys': { template: { spec: { '$setElementOrder/containers': [{ x: 'a' }] } } },
  'an order of strings': { template: { spec: { '$setElementOrder/containers': ['a'] } } },
  'an order that lacks an item': {
    template: {
      spec: {
        '$setElementOrder/containers': [{ name: 'a' }],
        containers: [{ name: 'b', image: 'x' }],
      },
    },
  },
  'an order that differs from the list': {
    metadata: { '$setElementOrder/finalizers': ['a.b/a', 'a.b/b'], finalizers: ['a.b/b', 'a.b/a'] },
  },
  'a deletion from nothing in particular': { metadata: { $deleteFromPrimitiveList: [] } },
  'a deletion from a list of maps': {
    template: { spec: { '$deleteFromPrimitiveList/tolerations': [{ key: 'x' }] } },
  },
  'a list of lists': { metadata: { finalizers: [['a']] } },
  'an item of another type': { metadata: { finalizers: [1] } },
  'an item that is null': { metadata: { finalizers: ['a.b/c', null] } },
  'a string for a number': { template: { spec: { terminationGracePeriodSeconds: '3' } } },
  'a fraction for a whole number': { template: { spec: { terminationGracePeriodSeconds: 1.5 } } },
  'a number for a string': { template: { spec: { restartPolicyX: 1, nodeName: 3 } } },
  'a string for a boolean': { template: { spec: { hostNetwork: 'yes' } } },
  'a list for an object': { template: { spec: [] } },
  'a list for a map': { template: { spec: { nodeSelector: [] } } },
  'a map for a list': { template: { spec: { tolerations: {} } } },
  'a string for an item': { template: { spec: { initContainers: ['x'] } } },
  'a boolean for an int-or-string': {
    template: {
      spec: { containers: [{ name: 'a', livenessProbe: { httpGet: { port: true } } }] },
    },
  },
  'a boolean for a quantity': {
    template: { spec: { containers: [{ name: 'a', resources: { limits: { cpu: true } } }] } },
  },
  'a number for a time': { metadata: { creationTimestamp: 3 } },
  'another name': { metadata: { name: 'other' } },
  'another namespace': { metadata: { namespace: 'other' } },
  'another uid': { metadata: { uid: 'other' } },
  'no name': { metadata: { name: null } },
  'no metadata': { metadata: null },
  'metadata deleted': { metadata: { $patch: 'delete' } },
  'everything deleted': { $patch: 'delete' },
  'everything replaced': { $patch: 'replace', metadata: { labels: { a: 'b' } } },
  'an unknown directive about everything': { $patch: 'x' },
  'an old version': { metadata: { resourceVersion: '1' } },
};
