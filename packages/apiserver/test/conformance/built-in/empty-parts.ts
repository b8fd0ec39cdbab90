import { crdOf, crdsPath } from '../../support/fixtures.ts';

/** An empty part of an object, which Go may keep, drop or fill in. */
export interface EmptyPart {
  /** The path of the collection. */
  resource: string;
  title: string;
  /** The object without the part. */
  base: any;
  path: readonly (string | number)[];
  part: unknown;
}

const core = '/api/v1/namespaces/default';
const selector = { matchLabels: { app: 'x' } };
const template = { metadata: { labels: { app: 'x' } }, spec: { containers: [{ name: 'c', image: 'x' }] } };

function kind(apiVersion: string, name: string, rest: object): any {
  return { apiVersion, kind: name, metadata: { name: 'empty' }, ...rest };
}

const pod = kind('v1', 'Pod', {
  spec: { containers: [{ name: 'c', image: 'x' }], volumes: [{ name: 'v', emptyDir: { medium: 'Memory' } }] },
});
const deployment = kind('apps/v1', 'Deployment', { spec: { selector, template } });
const statefulSet = kind('apps/v1', 'StatefulSet', { spec: { selector, template, serviceName: 's' } });
const service = kind('v1', 'Service', { spec: { ports: [{ port: 80 }] } });
const networkPolicy = kind('networking.k8s.io/v1', 'NetworkPolicy', {
  spec: { podSelector: { matchLabels: { app: 'x' } }, ingress: [{ from: [{ podSelector: selector }] }] },
});
const budget = kind('policy/v1', 'PodDisruptionBudget', { spec: { minAvailable: 1, selector } });
const autoscaler = kind('autoscaling/v2', 'HorizontalPodAutoscaler', {
  spec: { maxReplicas: 3, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' } },
});
const claim = kind('v1', 'PersistentVolumeClaim', {
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
});
const webhook = kind('admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration', {
  webhooks: [
    {
      name: 'a.example.com',
      clientConfig: { url: 'https://localhost/x' },
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
      rules: [
        { apiGroups: ['never.example.com'], apiVersions: ['*'], operations: ['CREATE'], resources: ['*'] },
      ],
    },
  ],
});
const quota = kind('v1', 'ResourceQuota', { spec: { hard: { pods: '1' } } });
const lease = kind('coordination.k8s.io/v1', 'Lease', { spec: { holderIdentity: 'a' } });
const config = kind('v1', 'ConfigMap', { data: { a: 'b' } });
const runtimeClass = kind('node.k8s.io/v1', 'RuntimeClass', { handler: 'h' });
const slice = kind('discovery.k8s.io/v1', 'EndpointSlice', {
  addressType: 'IPv4',
  endpoints: [{ addresses: ['10.1.2.3'] }],
});
const definition = (() => {
  const crd = crdOf('Empty', { free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } });
  delete crd.spec.versions[0].subresources;
  return crd;
})();
const version = ['spec', 'versions', 0];
const free = [...version, 'schema', 'openAPIV3Schema', 'properties', 'spec', 'properties', 'free'];

function partsOf(
  resource: string,
  base: any,
  parts: readonly (readonly [path: readonly (string | number)[], part?: unknown])[],
): EmptyPart[] {
  return parts.map(([path, part = {}]) => {
    return { resource, base, path, part, title: `${path.join('.')} ${JSON.stringify(part)}` };
  });
}

const pods: (string | number)[] = ['spec', 'containers', 0];

/** Structs with and without fields, maps, and lists of empty structs. */
export const emptyParts: readonly EmptyPart[] = [
  ...partsOf(crdsPath, definition, [
    [[...version, 'subresources']],
    [[...version, 'subresources'], { status: {} }],
    [[...version, 'subresources'], { status: {}, scale: null }],
    [[...version, 'subresources'], { status: null }],
    [[...free, 'properties'], { a: { type: 'object', properties: {} } }],
    [[...free, 'default']],
    [[...free, 'example']],
    [[...free, 'externalDocs']],
    [['spec', 'conversion']],
  ]),
  ...partsOf(`${core}/pods`, pod, [
    [['spec', 'securityContext']],
    [['spec', 'affinity']],
    [['spec', 'affinity'], { nodeAffinity: {} }],
    [['spec', 'dnsConfig']],
    [['spec', 'nodeSelector']],
    [['spec', 'tolerations'], [{ operator: 'Exists' }]],
    [['spec', 'volumes'], [{ name: 'v', emptyDir: {} }]],
    [['spec', 'volumes'], [{ name: 'v', downwardAPI: {} }]],
    [['spec', 'volumes'], [{ name: 'v', projected: { sources: [{}] } }]],
    [['spec', 'volumes'], [{ name: 'v' }]],
    [[...pods, 'securityContext']],
    [[...pods, 'securityContext'], { capabilities: {}, seLinuxOptions: {} }],
    [[...pods, 'resources']],
    [[...pods, 'resources'], { limits: {}, requests: {} }],
    [[...pods, 'lifecycle']],
    [[...pods, 'lifecycle'], { preStop: {} }],
    [[...pods, 'livenessProbe']],
    [[...pods, 'livenessProbe'], { tcpSocket: {} }],
    [[...pods, 'livenessProbe'], { exec: {} }],
    [[...pods, 'env'], [{ name: 'A', valueFrom: {} }]],
    [[...pods, 'envFrom'], [{ configMapRef: {} }]],
    [['status']],
  ]),
  ...partsOf('/apis/apps/v1/namespaces/default/deployments', deployment, [
    [['spec', 'strategy']],
    [['spec', 'strategy'], { type: 'RollingUpdate', rollingUpdate: {} }],
    [['spec', 'template', 'spec', 'securityContext']],
    [['spec', 'template', 'metadata', 'annotations']],
    [['metadata', 'labels']],
    [['status']],
  ]),
  ...partsOf('/apis/apps/v1/namespaces/default/statefulsets', statefulSet, [
    [['spec', 'updateStrategy']],
    [['spec', 'updateStrategy'], { rollingUpdate: {} }],
    [['spec', 'persistentVolumeClaimRetentionPolicy']],
    [['spec', 'ordinals']],
  ]),
  ...partsOf(`${core}/services`, service, [
    [['spec', 'selector']],
    [['spec', 'sessionAffinityConfig']],
    [['spec', 'sessionAffinityConfig'], { clientIP: {} }],
    [['status'], { loadBalancer: {} }],
  ]),
  ...partsOf('/apis/networking.k8s.io/v1/namespaces/default/networkpolicies', networkPolicy, [
    [['spec', 'podSelector']],
    [['spec', 'podSelector'], { matchLabels: {} }],
    [['spec', 'ingress'], [{}]],
    [['spec', 'egress'], [{}]],
    [['spec', 'ingress'], [{ from: [{ podSelector: {} }] }]],
    [['spec', 'ingress'], [{ from: [{ namespaceSelector: {} }] }]],
    [['spec', 'ingress'], [{ from: [{ namespaceSelector: {}, podSelector: {} }] }]],
    [['spec', 'ingress'], [{ from: [{}] }]],
    [['spec', 'ingress'], [{ ports: [{}] }]],
  ]),
  ...partsOf('/apis/policy/v1/namespaces/default/poddisruptionbudgets', budget, [
    [['spec', 'selector']],
    [['status']],
  ]),
  ...partsOf('/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers', autoscaler, [
    [['spec', 'behavior']],
    [['spec', 'behavior'], { scaleDown: {} }],
    [['spec', 'metrics'], [{ type: 'Resource', resource: { name: 'cpu', target: {} } }]],
  ]),
  ...partsOf(`${core}/persistentvolumeclaims`, claim, [
    [['spec', 'selector']],
    [['spec', 'resources', 'limits']],
    [['metadata', 'annotations']],
  ]),
  ...partsOf('/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations', webhook, [
    [['webhooks', 0, 'namespaceSelector']],
    [['webhooks', 0, 'objectSelector'], { matchLabels: {} }],
    [['webhooks', 0, 'clientConfig']],
  ]),
  ...partsOf(`${core}/resourcequotas`, quota, [[['spec']], [['spec', 'hard']], [['spec', 'scopeSelector']]]),
  ...partsOf('/apis/coordination.k8s.io/v1/namespaces/default/leases', lease, [[['spec']]]),
  ...partsOf(`${core}/configmaps`, config, [
    [['data']],
    [['binaryData']],
    [['metadata', 'labels']],
    [['metadata', 'ownerReferences'], [{}]],
  ]),
  ...partsOf('/apis/node.k8s.io/v1/runtimeclasses', runtimeClass, [
    [['overhead']],
    [['overhead'], { podFixed: {} }],
    [['scheduling']],
    [['scheduling'], { nodeSelector: {} }],
  ]),
  ...partsOf('/apis/discovery.k8s.io/v1/namespaces/default/endpointslices', slice, [
    [['endpoints', 0, 'conditions']],
    [['endpoints', 0, 'hints']],
  ]),
];
