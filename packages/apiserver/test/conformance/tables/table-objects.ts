const long = '2020-01-01T00:00:00Z';
const container = { name: 'c', image: 'i:1' };
const podSpec = { containers: [container, { name: 'd', image: 'j:2' }] };
const selector = {
  matchLabels: { b: 'c', a: 'b' },
  matchExpressions: [
    { key: 'aa', operator: 'In', values: ['y', 'x'] },
    { key: 'z', operator: 'DoesNotExist' },
    { key: 'e', operator: 'Exists' },
    { key: 'n', operator: 'NotIn', values: ['q'] },
  ],
};
const template = {
  metadata: { labels: { a: 'b', b: 'c', aa: 'x', e: '' } },
  spec: { ...podSpec, nodeSelector: { disk: 'ssd' } },
};
const jobTemplate = { metadata: { labels: {} }, spec: { ...podSpec, restartPolicy: 'Never' } };

/** An object to show in a table: its path, the object, and its status. It already contains everything that a server would add. */
export interface TableObject {
  title: string;
  path: string;
  object: any;
  status?: any;
}

const core = '/api/v1/namespaces/default';
const running = {
  state: { running: { startedAt: long } },
  ready: true,
  image: 'i',
  imageID: '',
  restartCount: 0,
};
const waiting = (reason: string) => ({
  ...running,
  ready: false,
  state: { waiting: { reason } },
});
const terminated = (end: object, restartCount = 0) => ({
  ...running,
  ready: false,
  restartCount,
  state: { terminated: { exitCode: 0, startedAt: long, finishedAt: long, ...end } },
  lastState: { terminated: { exitCode: 1, startedAt: long, finishedAt: long } },
});

function pod(name: string, status: any, spec: any = {}): TableObject {
  return {
    title: `pod ${name}`,
    path: `${core}/pods`,
    object: { metadata: { name }, spec: { ...podSpec, ...spec } },
    status,
  };
}

const init = {
  initContainers: [
    { name: 'i0', image: 'i' },
    { name: 'i1', image: 'i' },
  ],
};
const sidecar = { initContainers: [{ name: 'side', image: 'i', restartPolicy: 'Always' }] };

export const pods: TableObject[] = [
  pod('pending', { phase: 'Pending' }),
  pod('gated', {
    phase: 'Pending',
    conditions: [{ type: 'PodScheduled', status: 'False', reason: 'SchedulingGated' }],
  }),
  pod('running', {
    phase: 'Running',
    podIPs: [{ ip: '10.1.2.3' }],
    podIP: '10.1.2.3',
    containerStatuses: [
      { name: 'c', ...running },
      {
        name: 'd',
        ...running,
        restartCount: 2,
        lastState: { terminated: { exitCode: 1, startedAt: long, finishedAt: long } },
      },
    ],
  }),
  pod('crashing', {
    phase: 'Running',
    containerStatuses: [
      { name: 'c', ...waiting('CrashLoopBackOff') },
      { name: 'd', ...running },
    ],
  }),
  pod('succeeded', {
    phase: 'Succeeded',
    containerStatuses: [{ name: 'c', ...terminated({ reason: 'Completed' }) }],
  }),
  pod('failed', { phase: 'Failed', reason: 'Evicted', containerStatuses: [] }),
  pod('exited', { phase: 'Failed', containerStatuses: [{ name: 'c', ...terminated({ exitCode: 3 }, 4) }] }),
  pod('signalled', {
    phase: 'Failed',
    containerStatuses: [{ name: 'c', ...terminated({ exitCode: 137, signal: 9 }) }],
  }),
  pod('half-completed', {
    phase: 'Running',
    containerStatuses: [
      { name: 'c', ...terminated({ reason: 'Completed' }) },
      { name: 'd', ...running },
    ],
  }),
  pod(
    'initializing',
    {
      phase: 'Pending',
      initContainerStatuses: [
        { name: 'i0', ...terminated({}) },
        { name: 'i1', ...running, ready: false },
      ],
    },
    init,
  ),
  pod(
    'init-waiting',
    { phase: 'Pending', initContainerStatuses: [{ name: 'i0', ...waiting('ImagePullBackOff') }] },
    init,
  ),
  pod(
    'init-failed',
    { phase: 'Pending', initContainerStatuses: [{ name: 'i0', ...terminated({ exitCode: 2 }, 1) }] },
    init,
  ),
  pod(
    'sidecar',
    {
      phase: 'Running',
      initContainerStatuses: [{ name: 'side', ...running, started: true, restartCount: 1 }],
      containerStatuses: [
        { name: 'c', ...running },
        { name: 'd', ...running },
      ],
    },
    sidecar,
  ),
  pod(
    'gates',
    { phase: 'Running', conditions: [{ type: 'g/a', status: 'True' }] },
    { readinessGates: [{ conditionType: 'g/a' }, { conditionType: 'g/b' }] },
  ),
];

function workload(kind: string, group: string, spec: any, status?: any): TableObject {
  return {
    title: kind,
    path: `/apis/${group}/namespaces/default/${kind.toLowerCase()}s`,
    object: { metadata: { name: 'shown' }, spec },
    ...(status && { status }),
  };
}

export const workloads: TableObject[] = [
  workload(
    'Deployment',
    'apps/v1',
    { replicas: 3, selector, template },
    { replicas: 3, updatedReplicas: 2, readyReplicas: 1, availableReplicas: 1 },
  ),
  workload('ReplicaSet', 'apps/v1', { replicas: 2, selector, template }, { replicas: 2, readyReplicas: 1 }),
  workload(
    'StatefulSet',
    'apps/v1',
    { replicas: 2, serviceName: 's', selector, template },
    { replicas: 2, readyReplicas: 1 },
  ),
  workload(
    'DaemonSet',
    'apps/v1',
    { selector, template },
    {
      desiredNumberScheduled: 5,
      currentNumberScheduled: 4,
      numberReady: 3,
      updatedNumberScheduled: 2,
      numberAvailable: 1,
      numberMisscheduled: 0,
    },
  ),
  workload('Job', 'batch/v1', {
    completions: 3,
    parallelism: 1,
    manualSelector: true,
    selector: { matchLabels: { j: 'k' } },
    template: { ...jobTemplate, metadata: { labels: { j: 'k' } } },
  }),
  workload('CronJob', 'batch/v1', {
    schedule: '* * * * *',
    suspend: false,
    timeZone: 'UTC',
    jobTemplate: { spec: { template: jobTemplate } },
  }),
];

export const others: TableObject[] = [
  {
    title: 'ConfigMap',
    path: `${core}/configmaps`,
    object: { metadata: { name: 'shown' }, data: { a: 'b', c: 'd' }, binaryData: { e: 'AAAA' } },
  },
  {
    title: 'Secret',
    path: `${core}/secrets`,
    object: { metadata: { name: 'shown' }, type: 'Opaque', data: { a: 'AAAA' } },
  },
  { title: 'ServiceAccount', path: `${core}/serviceaccounts`, object: { metadata: { name: 'shown' } } },
  {
    title: 'Namespace',
    path: '/api/v1/namespaces',
    object: { metadata: { name: 'shown', labels: { 'kubernetes.io/metadata.name': 'shown' } } },
  },
  {
    title: 'Node',
    path: '/api/v1/nodes',
    object: {
      metadata: {
        name: 'shown',
        labels: { 'node-role.kubernetes.io/worker': '', 'kubernetes.io/role': 'infra' },
      },
      spec: { unschedulable: true },
    },
    status: {
      conditions: [{ type: 'Ready', status: 'True' }],
      addresses: [{ type: 'InternalIP', address: '10.0.0.9' }],
      nodeInfo: {
        machineID: '',
        systemUUID: '',
        bootID: '',
        kubeProxyVersion: '',
        operatingSystem: 'linux',
        kubeletVersion: 'v1.36.0',
        osImage: 'An OS',
        kernelVersion: '6.1',
        architecture: 'arm64',
        containerRuntimeVersion: 'containerd://2',
      },
    },
  },
  {
    title: 'Endpoints',
    path: `${core}/endpoints`,
    object: {
      metadata: { name: 'shown' },
      subsets: [
        {
          addresses: [{ ip: '1.1.1.1' }, { ip: '2.2.2.2' }],
          ports: [
            { port: 80, name: 'a', protocol: 'TCP' },
            { port: 81, name: 'b', protocol: 'TCP' },
          ],
        },
      ],
    },
  },
  {
    title: 'Event',
    path: `${core}/events`,
    object: {
      metadata: { name: 'shown' },
      involvedObject: { kind: 'Pod', name: 'p', namespace: 'default', fieldPath: 'spec.containers{c}' },
      reason: 'Pulled',
      message: '  a message ',
      type: 'Normal',
      count: 3,
      firstTimestamp: long,
      lastTimestamp: long,
      source: { component: 'kubelet', host: 'node-1' },
    },
  },
  {
    title: 'Lease',
    path: '/apis/coordination.k8s.io/v1/namespaces/default/leases',
    object: { metadata: { name: 'shown' }, spec: { holderIdentity: 'me' } },
  },
  {
    title: 'RoleBinding',
    path: '/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings',
    object: {
      metadata: { name: 'shown' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
      subjects: [
        { kind: 'User', name: 'u', apiGroup: 'rbac.authorization.k8s.io' },
        { kind: 'User', name: 'v', apiGroup: 'rbac.authorization.k8s.io' },
        { kind: 'Group', name: 'g', apiGroup: 'rbac.authorization.k8s.io' },
        { kind: 'ServiceAccount', name: 's', namespace: 'n' },
      ],
    },
  },
  {
    title: 'Ingress',
    path: '/apis/networking.k8s.io/v1/namespaces/default/ingresses',
    object: {
      metadata: { name: 'shown' },
      spec: {
        ingressClassName: 'nginx',
        tls: [{ hosts: ['a.example'] }],
        rules: ['a', 'b', 'c', 'd'].map((host) => ({ host: `${host}.example` })),
        defaultBackend: { service: { name: 's', port: { number: 80 } } },
      },
    },
    status: { loadBalancer: { ingress: [{ ip: '2.2.2.2' }, { hostname: 'lb' }] } },
  },
  {
    title: 'NetworkPolicy',
    path: '/apis/networking.k8s.io/v1/namespaces/default/networkpolicies',
    object: {
      metadata: { name: 'shown' },
      spec: { podSelector: { matchLabels: { a: 'b' } }, policyTypes: ['Ingress'] },
    },
  },
  {
    title: 'PodDisruptionBudget',
    path: '/apis/policy/v1/namespaces/default/poddisruptionbudgets',
    object: { metadata: { name: 'shown' }, spec: { minAvailable: '50%', selector: {} } },
  },
  {
    title: 'PersistentVolumeClaim',
    path: `${core}/persistentvolumeclaims`,
    object: {
      metadata: { name: 'shown' },
      spec: {
        accessModes: ['ReadWriteOnce'],
        storageClassName: 'fast',
        volumeMode: 'Filesystem',
        volumeName: 'pv',
        resources: { requests: { storage: '1Gi' } },
      },
    },
    status: { phase: 'Bound', accessModes: ['ReadWriteMany', 'ReadWriteOnce'], capacity: { storage: '2Gi' } },
  },
  {
    title: 'StorageClass',
    path: '/apis/storage.k8s.io/v1/storageclasses',
    object: {
      metadata: { name: 'shown', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
      provisioner: 'p.example.com',
      reclaimPolicy: 'Retain',
      volumeBindingMode: 'WaitForFirstConsumer',
      allowVolumeExpansion: true,
    },
  },
  {
    title: 'PriorityClass',
    path: '/apis/scheduling.k8s.io/v1/priorityclasses',
    object: { metadata: { name: 'shown' }, value: 7, preemptionPolicy: 'Never' },
  },
  {
    title: 'HorizontalPodAutoscaler',
    path: '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers',
    object: {
      metadata: { name: 'shown' },
      spec: {
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' },
        minReplicas: 1,
        maxReplicas: 5,
        metrics: [
          {
            type: 'Resource',
            resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } },
          },
          {
            type: 'Resource',
            resource: { name: 'memory', target: { type: 'AverageValue', averageValue: '1Gi' } },
          },
          {
            type: 'Pods',
            pods: { metric: { name: 'm' }, target: { type: 'AverageValue', averageValue: '5' } },
          },
        ],
      },
    },
  },
  {
    title: 'ClusterRole',
    path: '/apis/rbac.authorization.k8s.io/v1/clusterroles',
    object: { metadata: { name: 'shown' }, rules: [] },
  },
  {
    title: 'EndpointSlice',
    path: '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices',
    object: {
      metadata: { name: 'shown' },
      addressType: 'IPv4',
      ports: [{ name: 'a', port: 80, protocol: 'TCP' }],
      endpoints: [
        { addresses: ['10.0.0.1'] },
        { addresses: ['10.0.0.2'] },
        { addresses: ['10.0.0.3'] },
        { addresses: ['10.0.0.4'] },
      ],
    },
  },
];
