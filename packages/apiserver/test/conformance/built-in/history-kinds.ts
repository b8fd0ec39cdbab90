/** Values by their field, a path with dots. */
export type Pool = Readonly<Record<string, readonly unknown[]>>;

/** A kind whose objects go through histories. */
export interface HistoryKind {
  /** Group and version. If there are several, every second apply uses another one. */
  apiVersions: readonly string[];
  kind: string;
  plural: string;
  isClusterScoped?: boolean;
  /** A valid object without a name, by version if the versions differ. */
  base: Record<string, unknown> | ((apiVersion: string) => Record<string, unknown>);
  fields: Pool;
  status?: Pool;
  /** The field to scale. */
  isScaled?: boolean;
  /** On a real server, an update of the status also creates such objects, and badly. */
  isMadeByStatus?: boolean;
  /** A real server stores less of a new object than it shows, so the first update writes it again even if nothing changes. */
  isStoredShort?: boolean;
}

const labels = { app: 'a' };
const selector = { matchLabels: labels };
const containers = [
  [{ name: 'c', image: 'i' }],
  [{ name: 'c', image: 'j:v1' }],
  [{ name: 'd', image: 'i' }],
  [
    { name: 'c', image: 'i', env: [{ name: 'A', value: '1' }], ports: [{ containerPort: 80 }] },
    { name: 'd', image: 'j:v2', resources: { limits: { cpu: '0.5' } } },
  ],
  [{ name: 'c', env: [{ name: 'B', value: '2' }], livenessProbe: { httpGet: { port: 80 } } }],
  [{ name: 'c', ports: [{ containerPort: 80, protocol: 'TCP', name: 'p' }], imagePullPolicy: 'Never' }],
  [{ name: 'c', resources: { requests: { memory: '1024Mi' }, limits: { memory: '1Gi' } } }],
  [
    { name: 'c', image: 'i' },
    { name: 'c', image: 'j' },
  ],
  [],
];
const volumes = [
  [{ name: 'v', emptyDir: {} }],
  [{ name: 'v', configMap: { name: 'x' } }],
  [{ name: 'w', secret: { secretName: 'x', defaultMode: 256 } }],
  [{ name: 'v' }],
];
const tolerations = [[{ key: 'k', operator: 'Exists' }], [{ key: 'l', value: '1', effect: 'NoSchedule' }]];

/** Fields of the specification of pods. */
const podFields = (path: string): Pool => ({
  [`${path}.containers`]: containers,
  [`${path}.initContainers`]: [[{ name: 'i', image: 'i' }], []],
  [`${path}.volumes`]: volumes,
  [`${path}.tolerations`]: tolerations,
  [`${path}.nodeSelector`]: [{ a: '1' }, { b: '2' }, {}],
  [`${path}.dnsPolicy`]: ['Default', 'ClusterFirst'],
  [`${path}.terminationGracePeriodSeconds`]: [0, 30, 5],
  [`${path}.securityContext`]: [{ runAsUser: 1 }, {}],
  [`${path}.imagePullSecrets`]: [[{ name: 's' }], [{ name: 's' }, { name: 't' }]],
  [`${path}.serviceAccountName`]: ['account', ''],
  [`${path}.hostNetwork`]: [true, false],
});
const templateFields: Pool = {
  ...podFields('spec.template.spec'),
  'spec.template.metadata.labels': [labels, { app: 'a', more: 'b' }, { more: 'c' }],
  'spec.template.metadata.annotations': [{ x: '1' }, {}],
  'spec.minReadySeconds': [0, 5, -1],
  'spec.revisionHistoryLimit': [0, 10, 3],
};
const conditions = [
  [{ type: 'Available', status: 'True' }],
  [{ type: 'Available', status: 'False', reason: 'r', message: 'm' }],
  [{ type: 'Progressing', status: 'True' }],
  [],
];
const replicaStatus: Pool = {
  'status.replicas': [0, 1, 2, -1],
  'status.readyReplicas': [0, 1],
  'status.availableReplicas': [1],
  'status.observedGeneration': [1, 2],
  'status.conditions': conditions,
};
const replicas: Pool = { 'spec.replicas': [0, 1, 2, 3, -1] };
const template = { metadata: { labels }, spec: { containers: containers[0] } };
const jobPods = { restartPolicy: 'Never', containers: containers[0] };
const jobTemplate = { metadata: { labels }, spec: jobPods };
const rule = { apiGroups: [''], resources: ['pods'], verbs: ['get'] };

const workloads: readonly HistoryKind[] = [
  {
    apiVersions: ['apps/v1'],
    kind: 'Deployment',
    plural: 'deployments',
    isScaled: true,
    base: { spec: { selector, template } },
    fields: {
      ...templateFields,
      ...replicas,
      'spec.strategy': [
        { type: 'Recreate' },
        { type: 'RollingUpdate' },
        { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } },
        { rollingUpdate: { maxSurge: '25%', maxUnavailable: 1 } },
        {},
      ],
      'spec.paused': [true, false],
      'spec.progressDeadlineSeconds': [600, 5],
    },
    status: replicaStatus,
  },
  {
    apiVersions: ['apps/v1'],
    kind: 'StatefulSet',
    plural: 'statefulsets',
    isStoredShort: true,
    isScaled: true,
    base: { spec: { selector, template, serviceName: 's' } },
    fields: {
      ...templateFields,
      ...replicas,
      'spec.updateStrategy': [{ type: 'OnDelete' }, { rollingUpdate: { partition: 1 } }, {}],
      'spec.podManagementPolicy': ['Parallel', 'OrderedReady'],
      'spec.persistentVolumeClaimRetentionPolicy': [{ whenDeleted: 'Delete' }, {}],
      'spec.ordinals': [{ start: 1 }, {}],
      'spec.volumeClaimTemplates': [
        [
          {
            metadata: { name: 'd' },
            spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
          },
        ],
        [],
      ],
    },
    status: { ...replicaStatus, 'status.currentRevision': ['a', 'b'] },
  },
  {
    apiVersions: ['apps/v1'],
    kind: 'DaemonSet',
    plural: 'daemonsets',
    base: { spec: { selector, template } },
    fields: {
      ...templateFields,
      'spec.updateStrategy': [
        { type: 'OnDelete' },
        { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
        { type: 'RollingUpdate' },
      ],
    },
    status: {
      'status.numberReady': [0, 1],
      'status.desiredNumberScheduled': [0, 2],
      'status.observedGeneration': [1],
      'status.conditions': conditions,
    },
  },
  {
    apiVersions: ['batch/v1'],
    kind: 'Job',
    plural: 'jobs',
    base: { spec: { template: jobTemplate } },
    fields: {
      ...podFields('spec.template.spec'),
      'spec.template.metadata.labels': [labels, { more: 'b' }],
      'spec.parallelism': [0, 1, 3],
      'spec.completions': [1, 3],
      'spec.completionMode': ['Indexed', 'NonIndexed'],
      'spec.suspend': [true, false],
      'spec.backoffLimit': [0, 6],
      'spec.ttlSecondsAfterFinished': [0, 5],
      'spec.activeDeadlineSeconds': [5, 6],
      'spec.podReplacementPolicy': ['Failed'],
    },
    status: {
      'status.active': [0, 1],
      'status.ready': [0, 1],
      'status.succeeded': [1],
      'status.conditions': [
        [{ type: 'Suspended', status: 'True' }],
        [{ type: 'Complete', status: 'True' }],
        [],
      ],
      'status.startTime': ['2024-01-01T00:00:00Z'],
    },
  },
  {
    apiVersions: ['batch/v1'],
    kind: 'CronJob',
    plural: 'cronjobs',
    base: { spec: { schedule: '* * * * *', jobTemplate: { spec: { template: jobTemplate } } } },
    fields: {
      ...podFields('spec.jobTemplate.spec.template.spec'),
      'spec.schedule': ['1 * * * *', 'x'],
      'spec.suspend': [true, false],
      'spec.concurrencyPolicy': ['Forbid', 'Allow', 'x'],
      'spec.successfulJobsHistoryLimit': [3, 0],
      'spec.timeZone': ['Etc/UTC', 'x'],
      'spec.startingDeadlineSeconds': [5],
      'spec.jobTemplate.metadata.labels': [labels, {}],
      'spec.jobTemplate.spec.completions': [1, 2],
    },
    status: {
      'status.lastScheduleTime': ['2024-01-01T00:00:00Z'],
      'status.active': [[{ kind: 'Job', name: 'a' }], []],
    },
  },
  {
    apiVersions: ['autoscaling/v2', 'autoscaling/v1'],
    kind: 'HorizontalPodAutoscaler',
    plural: 'horizontalpodautoscalers',
    base: {
      spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'x' }, maxReplicas: 3 },
    },
    fields: {
      'spec.maxReplicas': [3, 5, 0],
      'spec.minReplicas': [1, 2, 4],
      'spec.scaleTargetRef': [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'y' }, { kind: 'x' }],
      'spec.metrics': [
        [
          {
            type: 'Resource',
            resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 70 } },
          },
        ],
        [
          {
            type: 'Resource',
            resource: { name: 'memory', target: { type: 'AverageValue', averageValue: '1Gi' } },
          },
        ],
        [],
      ],
      'spec.behavior': [{ scaleDown: { stabilizationWindowSeconds: 5 } }, { scaleUp: {} }, {}],
      'spec.targetCPUUtilizationPercentage': [50, 80],
    },
    status: {
      'status.currentReplicas': [1, 2],
      'status.desiredReplicas': [1, 2],
      'status.conditions': [[{ type: 'AbleToScale', status: 'True' }], []],
    },
  },
  {
    apiVersions: ['policy/v1'],
    kind: 'PodDisruptionBudget',
    plural: 'poddisruptionbudgets',
    base: { spec: { selector, minAvailable: 1 } },
    fields: {
      'spec.minAvailable': [1, '50%', 2, -1],
      'spec.maxUnavailable': [1, '10%'],
      'spec.selector': [selector, { matchLabels: { more: 'b' } }, {}],
      'spec.unhealthyPodEvictionPolicy': ['AlwaysAllow', 'x'],
    },
    status: {
      'status.currentHealthy': [1],
      'status.disruptionsAllowed': [0, 1, -1],
      'status.conditions': [
        [
          {
            type: 'DisruptionAllowed',
            status: 'True',
            reason: 'r',
            message: '',
            lastTransitionTime: '2024-01-01T00:00:00Z',
          },
        ],
        [],
      ],
    },
  },
];

const core: readonly HistoryKind[] = [
  {
    apiVersions: ['v1'],
    kind: 'Pod',
    plural: 'pods',
    base: { spec: { containers: containers[0] } },
    fields: {
      ...podFields('spec'),
      'spec.activeDeadlineSeconds': [5, 6],
      'spec.nodeName': ['n'],
      'spec.restartPolicy': ['Never', 'Always'],
      'spec.schedulingGates': [[{ name: 'a.b/c' }], [{ name: 'a.b/d' }]],
      'spec.priority': [1],
    },
    status: {
      'status.phase': ['Running', 'Pending', 'Succeeded'],
      'status.podIP': ['1.2.3.4', 'x'],
      'status.podIPs': [[{ ip: '1.2.3.4' }], []],
      'status.qosClass': ['BestEffort', 'Guaranteed'],
      'status.conditions': [[{ type: 'Ready', status: 'True' }], [{ type: 'Ready', status: 'False' }]],
      'status.containerStatuses': [
        [{ name: 'c', image: 'i', imageID: 'x', ready: true, restartCount: 0, state: { running: {} } }],
      ],
    },
  },
  {
    apiVersions: ['v1'],
    kind: 'Service',
    plural: 'services',
    isMadeByStatus: true,
    base: { spec: { ports: [{ port: 80 }] } },
    fields: {
      'spec.ports': [
        [{ port: 80 }],
        [{ port: 80, protocol: 'TCP', name: 'a', targetPort: 'http' }],
        [
          { port: 80, name: 'a' },
          { port: 80, name: 'b', protocol: 'UDP' },
        ],
        [{ port: 443, name: 'c', nodePort: 30_010 }],
        [],
      ],
      // Without ExternalName, for which a real server keeps fields that only some endpoints show.
      'spec.type': ['ClusterIP', 'NodePort', 'LoadBalancer'],
      'spec.selector': [labels, { more: 'b' }, {}],
      'spec.clusterIP': ['None', '10.0.0.12', ''],
      'spec.externalName': ['a.b'],
      'spec.sessionAffinity': ['ClientIP', 'None'],
      'spec.externalTrafficPolicy': ['Local', 'Cluster'],
      'spec.internalTrafficPolicy': ['Local'],
      'spec.ipFamilyPolicy': ['SingleStack', 'PreferDualStack'],
      'spec.externalIPs': [['1.2.3.4'], []],
      'spec.loadBalancerClass': ['a/b'],
      'spec.publishNotReadyAddresses': [true, false],
    },
    status: {
      'status.loadBalancer': [{ ingress: [{ ip: '1.2.3.4' }] }, { ingress: [{ hostname: 'a.b' }] }, {}],
      'status.conditions': [
        [
          {
            type: 'x',
            status: 'True',
            reason: 'r',
            message: '',
            lastTransitionTime: '2024-01-01T00:00:00Z',
          },
        ],
        [],
      ],
    },
  },
  {
    apiVersions: ['v1'],
    kind: 'ConfigMap',
    plural: 'configmaps',
    base: { data: { a: '1' } },
    fields: {
      data: [{ a: '1' }, { a: '2', b: '1' }, { 'c d': 'x' }],
      binaryData: [{ x: 'MQ==' }, { a: 'Mg==' }, { x: '?' }],
      immutable: [true, false],
    },
  },
  {
    apiVersions: ['v1'],
    kind: 'Secret',
    plural: 'secrets',
    base: { data: { a: 'MQ==' } },
    fields: {
      data: [{ a: 'MQ==' }, { a: 'Mg==', b: 'MQ==' }, { b: '' }],
      stringData: [{ a: '1' }, { b: '2' }],
      type: ['Opaque', 'x', 'kubernetes.io/basic-auth'],
      immutable: [true, false],
    },
  },
  {
    apiVersions: ['v1'],
    kind: 'PersistentVolumeClaim',
    plural: 'persistentvolumeclaims',
    isStoredShort: true,
    base: { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } },
    fields: {
      'spec.resources': [
        { requests: { storage: '1Gi' } },
        { requests: { storage: '1024Mi' } },
        { requests: { storage: '2Gi' } },
        { limits: { storage: '3Gi' } },
      ],
      'spec.accessModes': [['ReadWriteOnce'], ['ReadWriteMany', 'ReadWriteOnce'], ['x']],
      'spec.storageClassName': ['a', 'b'],
      'spec.volumeMode': ['Filesystem', 'Block'],
      'spec.volumeName': ['v'],
    },
    status: {
      'status.phase': ['Bound', 'Pending'],
      'status.capacity': [{ storage: '1Gi' }, { storage: '2048Mi' }],
      'status.accessModes': [['ReadWriteOnce']],
      'status.conditions': [[{ type: 'Resizing', status: 'True' }], []],
    },
  },
  {
    apiVersions: ['v1'],
    kind: 'Node',
    plural: 'nodes',
    isClusterScoped: true,
    base: {},
    fields: {
      'spec.unschedulable': [true, false],
      'spec.podCIDR': ['10.1.0.0/24', '10.2.0.0/24'],
      'spec.providerID': ['a', 'b'],
      'spec.taints': [
        [{ key: 'a', effect: 'NoSchedule' }],
        [
          { key: 'a', effect: 'NoExecute', value: 'x' },
          { key: 'b', effect: 'NoSchedule' },
        ],
        [],
      ],
    },
    status: {
      'status.capacity': [{ cpu: '1', memory: '1024Mi' }, { cpu: '2' }],
      'status.allocatable': [{ cpu: '500m' }],
      'status.addresses': [[{ type: 'InternalIP', address: '1.2.3.4' }], []],
      'status.conditions': [[{ type: 'Ready', status: 'True' }], [{ type: 'Ready', status: 'False' }]],
      'status.phase': ['Running'],
    },
  },
  {
    apiVersions: ['v1'],
    kind: 'Namespace',
    plural: 'namespaces',
    isClusterScoped: true,
    base: {},
    fields: { 'spec.finalizers': [['kubernetes'], ['a.b/c'], []] },
    status: { 'status.phase': ['Active', 'Terminating'], 'status.conditions': conditions },
  },
  {
    apiVersions: ['v1', 'events.k8s.io/v1'],
    kind: 'Event',
    plural: 'events',
    base: (apiVersion) => ({
      reason: 'r',
      action: 'a',
      type: 'Normal',
      eventTime: '2024-01-01T00:00:00.000000Z',
      [apiVersion === 'v1' ? 'reportingComponent' : 'reportingController']: 'a.b/c',
      reportingInstance: 'i',
      [apiVersion === 'v1' ? 'involvedObject' : 'regarding']: {
        kind: 'Pod',
        name: 'p',
        namespace: 'default',
      },
    }),
    fields: {
      reason: ['r', 's'],
      type: ['Normal', 'Warning', 'x'],
      message: ['m', 'n'],
      note: ['m', 'o'],
      count: [1, 2],
      series: [{ count: 2, lastObservedTime: '2024-01-01T00:00:00.000000Z' }],
      action: ['b', ''],
    },
  },
];

const others: readonly HistoryKind[] = [
  {
    apiVersions: ['networking.k8s.io/v1'],
    kind: 'Ingress',
    plural: 'ingresses',
    base: { spec: { defaultBackend: { service: { name: 's', port: { number: 80 } } } } },
    fields: {
      'spec.defaultBackend': [
        { service: { name: 's', port: { name: 'http' } } },
        { service: { name: 't', port: { number: 80 } } },
      ],
      'spec.ingressClassName': ['a', 'b'],
      'spec.rules': [
        [{ host: 'a.b' }],
        [
          {
            host: 'c.d',
            http: {
              paths: [
                {
                  path: '/',
                  pathType: 'Prefix',
                  backend: { service: { name: 's', port: { number: 1 } } },
                },
              ],
            },
          },
        ],
      ],
      'spec.tls': [[{ hosts: ['a.b'], secretName: 's' }], []],
    },
    status: { 'status.loadBalancer': [{ ingress: [{ ip: '1.2.3.4' }] }, {}] },
  },
  {
    apiVersions: ['networking.k8s.io/v1'],
    kind: 'NetworkPolicy',
    plural: 'networkpolicies',
    base: { spec: { podSelector: {} } },
    fields: {
      'spec.podSelector': [selector, {}],
      'spec.policyTypes': [['Ingress'], ['Egress']],
      'spec.ingress': [[{ ports: [{ port: 80 }] }], [{ from: [{ podSelector: selector }] }], [{}]],
      'spec.egress': [[{ to: [{ ipBlock: { cidr: '10.0.0.0/8' } }] }]],
    },
  },
  {
    apiVersions: ['rbac.authorization.k8s.io/v1'],
    kind: 'Role',
    plural: 'roles',
    base: { rules: [rule] },
    fields: { rules: [[rule], [{ ...rule, verbs: ['get', 'list'] }], [{ verbs: [] }]] },
  },
  {
    apiVersions: ['rbac.authorization.k8s.io/v1'],
    kind: 'RoleBinding',
    plural: 'rolebindings',
    base: { roleRef: { kind: 'Role', name: 'r', apiGroup: 'rbac.authorization.k8s.io' } },
    fields: {
      roleRef: [
        { kind: 'Role', name: 'r' },
        { kind: 'Role', name: 's', apiGroup: 'rbac.authorization.k8s.io' },
      ],
      subjects: [
        [{ kind: 'User', name: 'u' }],
        [{ kind: 'ServiceAccount', name: 'a', namespace: 'b' }],
        [],
        [{ kind: 'x', name: 'u' }],
      ],
    },
  },
  {
    apiVersions: ['coordination.k8s.io/v1'],
    kind: 'Lease',
    plural: 'leases',
    base: {},
    fields: {
      'spec.holderIdentity': ['a', 'b'],
      'spec.leaseDurationSeconds': [15, 30, 0],
      'spec.renewTime': ['2024-01-01T00:00:00.000000Z', '2024-01-01T00:00:00Z'],
      'spec.leaseTransitions': [0, 1],
      'spec.acquireTime': ['2024-01-01T00:00:00.123000Z'],
    },
  },
  {
    apiVersions: ['discovery.k8s.io/v1'],
    kind: 'EndpointSlice',
    plural: 'endpointslices',
    base: { addressType: 'IPv4', endpoints: [{ addresses: ['1.2.3.4'] }] },
    fields: {
      addressType: ['IPv4', 'IPv6'],
      endpoints: [
        [{ addresses: ['1.2.3.5'], conditions: { ready: true } }],
        [{ addresses: ['1.2.3.4'], nodeName: 'n' }, { addresses: ['1.2.3.6'] }],
      ],
      ports: [[{ port: 80 }], [{ name: 'a', port: 81, protocol: 'UDP' }]],
    },
  },
];

/** The kinds whose histories are compared: those that operators use and create. */
export const historyKinds: readonly HistoryKind[] = [...workloads, ...core, ...others];
