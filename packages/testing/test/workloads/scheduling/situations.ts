import type { KubernetesObject } from 'ots-kubernetes';
import type { Pod } from 'ots-kubernetes/core/v1';
import type { NodeOptions } from 'ots-testing';

/** What a scheduler finds, and what kube-scheduler 1.36 says about the pod `default/app`. */
export interface Situation {
  readonly title: string;
  /** With names that sort in their order. */
  readonly nodes: readonly NodeOptions[];
  /** The names of the nodes that `kubectl cordon` excluded. Default none. */
  readonly cordoned?: readonly string[];
  /** Besides the nodes, in the order of their creation. Default none. */
  readonly objects?: readonly KubernetesObject[];
  readonly pod: Pod;
  /** Of its condition PodScheduled, and the note of its event. */
  readonly message: string;
}

type PodSpec = NonNullable<Pod['spec']>;

/** A pod of the namespace default. */
export function podOf(name: string, spec: Partial<PodSpec> = {}, labels?: Record<string, string>): Pod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'default', ...(labels && { labels }) },
    spec: { containers: [{ name: 'app', image: 'app:1' }], ...spec },
  };
}

/** What its only container requests. */
export const requesting = (requests: Record<string, string>, limits?: Record<string, string>) => ({
  containers: [{ name: 'app', image: 'app:1', resources: { requests, ...(limits && { limits }) } }],
});

const onPort = (hostPort: number) => ({
  containers: [{ name: 'app', image: 'app:1', ports: [{ containerPort: 80, hostPort }] }],
});

export const taint = (
  key: string,
  effect: 'NoSchedule' | 'NoExecute' | 'PreferNoSchedule' = 'NoSchedule',
) => ({
  key,
  value: 'x',
  effect,
});

const selecting = (app: string) => ({ labelSelector: { matchLabels: { app } } });
const near = (app: string, topologyKey = 'kubernetes.io/hostname') => ({
  podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ ...selecting(app), topologyKey }] },
});
const away = (app: string, topologyKey = 'kubernetes.io/hostname') => ({
  podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ ...selecting(app), topologyKey }] },
});
const spreading = (topologyKey: string) => ({
  topologySpreadConstraints: [
    { maxSkew: 1, topologyKey, whenUnsatisfiable: 'DoNotSchedule' as const, ...selecting('web') },
  ],
});
const onNodesWith = (key: 'matchExpressions' | 'matchFields', name: string, values: string[]) => ({
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ [key]: [{ key: name, operator: 'In', values }] }],
      },
    },
  },
});
const mounting = (claimName: string) => ({
  volumes: [{ name: 'data', persistentVolumeClaim: { claimName } }],
});
const classOf = (name: string, provisioner: string, volumeBindingMode: string) => ({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name },
  provisioner,
  volumeBindingMode,
});
const claimOf = (name: string, storageClassName: string) => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name, namespace: 'default' },
  spec: {
    accessModes: ['ReadWriteOnce'],
    storageClassName,
    resources: { requests: { storage: '1Gi' } },
  },
});
const boundTo = (volumeName: string, claim: ReturnType<typeof claimOf>) => ({
  ...claim,
  spec: { ...claim.spec, volumeName },
});
const volumeOf = (name: string, storageClassName: string, node: string, storage = '1Gi', claim?: string) => ({
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name },
  spec: {
    capacity: { storage },
    accessModes: ['ReadWriteOnce'],
    storageClassName,
    hostPath: { path: '/data' },
    ...(claim !== undefined && { claimRef: { name: claim, namespace: 'default' } }),
    nodeAffinity: {
      required: {
        nodeSelectorTerms: [
          { matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: [node] }] },
        ],
      },
    },
  },
});
export const priorityClass = (name: string, value: number) => ({
  apiVersion: 'scheduling.k8s.io/v1',
  kind: 'PriorityClass',
  metadata: { name },
  value,
});

const three = [{ name: 'a' }, { name: 'b' }, { name: 'c' }];
const zones = [
  { name: 'a', labels: { zone: 'east' } },
  { name: 'b', labels: { zone: 'west' } },
  { name: 'c' },
];

export const situations: readonly Situation[] = [
  {
    title: 'too little of a resource',
    nodes: [{ name: 'a', capacity: { cpu: '1' } }],
    pod: podOf('app', requesting({ cpu: '2' })),
    message:
      '0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate, preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.',
  },
  {
    title: 'too little of several resources',
    nodes: [
      { name: 'a', capacity: { cpu: '1' } },
      { name: 'b', capacity: { memory: '1Gi' } },
      { name: 'c', capacity: { cpu: '1', memory: '1Gi', 'ephemeral-storage': '1Gi' } },
    ],
    pod: podOf('app', requesting({ cpu: '2', memory: '2Gi', 'ephemeral-storage': '2Gi' })),
    message:
      '0/3 nodes are available: 1 Insufficient ephemeral-storage, 2 Insufficient cpu, 2 Insufficient memory. no new claims to deallocate, preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.',
  },
  {
    title: 'an extended resource that no node has',
    nodes: three,
    pod: podOf('app', requesting({ 'example.com/gpu': '1' }, { 'example.com/gpu': '1' })),
    message:
      '0/3 nodes are available: 3 Insufficient example.com/gpu. no new claims to deallocate, preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.',
  },
  {
    title: 'a full node',
    nodes: [{ name: 'a', capacity: { pods: '1' } }],
    objects: [podOf('other', { nodeName: 'a' })],
    pod: podOf('app'),
    message:
      '0/1 nodes are available: 1 Too many pods. no new claims to deallocate, preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod.',
  },
  {
    title: 'what other pods request',
    nodes: [
      { name: 'a', capacity: { cpu: '2' } },
      { name: 'b', capacity: { cpu: '1' } },
    ],
    objects: [podOf('other', { nodeName: 'a', ...requesting({ cpu: '1' }) })],
    pod: podOf('app', requesting({ cpu: '1500m' })),
    message:
      '0/2 nodes are available: 2 Insufficient cpu. no new claims to deallocate, preemption: 0/2 nodes are available: 1 No preemption victims found for incoming pod, 1 Preemption is not helpful for scheduling.',
  },
  {
    title: 'taints',
    nodes: [
      { name: 'a', taints: [taint('first')] },
      { name: 'b', taints: [taint('second', 'NoExecute')] },
      { name: 'c', taints: [taint('third'), taint('second')] },
    ],
    pod: podOf('app', { tolerations: [{ key: 'third', operator: 'Exists' }] }),
    message:
      '0/3 nodes are available: 3 node(s) had untolerated taint(s). no new claims to deallocate, preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.',
  },
  {
    title: 'a node selector',
    nodes: zones,
    pod: podOf('app', { nodeSelector: { zone: 'north' } }),
    message:
      "0/3 nodes are available: 3 node(s) didn't match Pod's node affinity/selector. no new claims to deallocate, preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.",
  },
  {
    title: 'a node affinity',
    nodes: zones,
    pod: podOf('app', onNodesWith('matchExpressions', 'zone', ['north'])),
    message:
      "0/3 nodes are available: 3 node(s) didn't match Pod's node affinity/selector. no new claims to deallocate, preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.",
  },
  {
    title: 'the name of a node that does not exist',
    nodes: three,
    pod: podOf('app', onNodesWith('matchFields', 'metadata.name', ['missing'])),
    message:
      "0/3 nodes are available: 3 node(s) didn't satisfy plugin(s) [NodeAffinity]. no new claims to deallocate, preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.",
  },
  {
    title: 'the name of a node that does not fit',
    nodes: [{ name: 'a', taints: [taint('first')] }, { name: 'b' }, { name: 'c' }],
    pod: podOf('app', onNodesWith('matchFields', 'metadata.name', ['a'])),
    message:
      "0/3 nodes are available: 1 node(s) had untolerated taint(s), 2 node(s) didn't satisfy plugin(s) [NodeAffinity]. no new claims to deallocate, preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.",
  },
  {
    title: 'the pods that a pod wants to be near, and those that it avoids',
    nodes: three,
    objects: [
      podOf('web-a', { nodeName: 'a' }, { app: 'web' }),
      podOf('web-b', { nodeName: 'b' }, { app: 'web' }),
      podOf('db-c', { nodeName: 'c' }, { app: 'db' }),
    ],
    pod: podOf('app', { affinity: { ...near('db'), ...away('db') } }),
    message:
      "0/3 nodes are available: 1 node(s) didn't match pod anti-affinity rules, 2 node(s) didn't match pod affinity rules. no new claims to deallocate, preemption: 0/3 nodes are available: 1 No preemption victims found for incoming pod, 2 Preemption is not helpful for scheduling.",
  },
  {
    title: 'pods to be near that do not exist',
    nodes: zones,
    pod: podOf('app', { affinity: near('web', 'zone') }),
    message:
      "0/3 nodes are available: 3 node(s) didn't match pod affinity rules. no new claims to deallocate, preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.",
  },
  {
    title: 'pods to avoid',
    nodes: zones,
    objects: [
      podOf('web-a', { nodeName: 'a' }, { app: 'web' }),
      podOf('web-b', { nodeName: 'b' }, { app: 'web' }),
      podOf('web-c', { nodeName: 'c' }, { app: 'web' }),
    ],
    pod: podOf('app', { affinity: away('web') }),
    message:
      "0/3 nodes are available: 3 node(s) didn't match pod anti-affinity rules. no new claims to deallocate, preemption: 0/3 nodes are available: 3 No preemption victims found for incoming pod.",
  },
  {
    title: 'a pod that avoids the pod',
    nodes: [{ name: 'a' }],
    objects: [podOf('web-a', { nodeName: 'a', affinity: away('app') })],
    pod: podOf('app', {}, { app: 'app' }),
    message:
      "0/1 nodes are available: 1 node(s) didn't satisfy existing pods anti-affinity rules. no new claims to deallocate, preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod.",
  },
  {
    title: 'a spread that is uneven',
    nodes: [
      { name: 'a', labels: { zone: 'east' } },
      { name: 'b', labels: { zone: 'west' }, taints: [taint('first')] },
      { name: 'c' },
    ],
    objects: [podOf('web-a', { nodeName: 'a' }, { app: 'web' })],
    pod: podOf('app', spreading('zone'), { app: 'web' }),
    message:
      "0/3 nodes are available: 1 node(s) didn't match pod topology spread constraints, 1 node(s) didn't match pod topology spread constraints (missing required label), 1 node(s) had untolerated taint(s). no new claims to deallocate, preemption: 0/3 nodes are available: 1 No preemption victims found for incoming pod, 2 Preemption is not helpful for scheduling.",
  },
  {
    title: 'a host port that is taken',
    nodes: [{ name: 'a' }, { name: 'b' }],
    objects: [
      podOf('web-a', { nodeName: 'a', ...onPort(8080) }),
      podOf('web-b', { nodeName: 'b', ...onPort(8080) }),
    ],
    pod: podOf('app', onPort(8080)),
    message:
      "0/2 nodes are available: 2 node(s) didn't have free ports for the requested pod ports. no new claims to deallocate, preemption: 0/2 nodes are available: 2 No preemption victims found for incoming pod.",
  },
  {
    title: 'a claim that does not exist',
    nodes: three,
    pod: podOf('app', mounting('missing')),
    message: '0/3 nodes are available: persistentvolumeclaim "missing" not found. not found',
  },
  {
    title: 'an ephemeral claim that does not exist yet',
    nodes: three,
    pod: podOf('app', {
      volumes: [
        { name: 'data', ephemeral: { volumeClaimTemplate: { spec: claimOf('x', 'fast').spec as never } } },
      ],
    }),
    message:
      '0/3 nodes are available: waiting for ephemeral volume controller to create the persistentvolumeclaim "app-data". not found',
  },
  {
    title: 'a claim that is not bound',
    nodes: three,
    objects: [classOf('fast', 'example.com/disk', 'Immediate'), claimOf('data', 'fast')],
    pod: podOf('app', mounting('data')),
    message: '0/3 nodes are available: pod has unbound immediate PersistentVolumeClaims. not found',
  },
  {
    title: 'a claim without volumes that fit',
    nodes: three,
    objects: [
      classOf('local', 'kubernetes.io/no-provisioner', 'WaitForFirstConsumer'),
      claimOf('data', 'local'),
      volumeOf('small', 'local', 'a', '1Mi'),
    ],
    pod: podOf('app', mounting('data')),
    message:
      "0/3 nodes are available: 3 node(s) didn't find available persistent volumes to bind. no new claims to deallocate, preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.",
  },
  {
    title: 'a claim whose only volume is on a node that does not fit',
    nodes: [{ name: 'a', taints: [taint('first')] }, { name: 'b' }],
    objects: [
      classOf('local', 'kubernetes.io/no-provisioner', 'WaitForFirstConsumer'),
      claimOf('data', 'local'),
      volumeOf('disk', 'local', 'a'),
    ],
    pod: podOf('app', mounting('data')),
    message:
      "0/2 nodes are available: 1 node(s) didn't find available persistent volumes to bind, 1 node(s) had untolerated taint(s). no new claims to deallocate, preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling.",
  },
  {
    title: 'claims that are bound to volumes of one node',
    nodes: three,
    cordoned: ['a'],
    objects: [volumeOf('disk', 'local', 'a', '1Gi', 'data'), boundTo('disk', claimOf('data', 'local'))],
    pod: podOf('app', mounting('data')),
    message:
      "0/3 nodes are available: 1 node(s) were unschedulable, 2 node(s) didn't match PersistentVolume's node affinity. no new claims to deallocate, preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.",
  },
  {
    title: 'the name of a node, and a claim that is bound to a volume of another',
    nodes: three,
    objects: [volumeOf('disk', 'local', 'a', '1Gi', 'data'), boundTo('disk', claimOf('data', 'local'))],
    pod: podOf('app', { ...mounting('data'), ...onNodesWith('matchFields', 'metadata.name', ['b']) }),
    message:
      "0/3 nodes are available: 1 node(s) didn't match PersistentVolume's node affinity, 2 node(s) didn't satisfy plugin(s) [NodeAffinity]. no new claims to deallocate, preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.",
  },
  {
    title: 'the names of nodes that exclude each other',
    nodes: three,
    pod: podOf('app', {
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [
              {
                matchFields: [
                  { key: 'metadata.name', operator: 'In', values: ['a'] },
                  { key: 'metadata.name', operator: 'In', values: ['b'] },
                ],
              },
            ],
          },
        },
      },
    }),
    message: '0/3 nodes are available: pod affinity terms conflict. not found',
  },
  {
    title: 'a cordoned node',
    nodes: [{ name: 'a' }, { name: 'b' }],
    cordoned: ['a'],
    pod: podOf('app', { nodeSelector: { zone: 'north' } }),
    message:
      "0/2 nodes are available: 1 node(s) didn't match Pod's node affinity/selector, 1 node(s) were unschedulable. no new claims to deallocate, preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling.",
  },
  {
    title: 'a spread over more domains than there are',
    nodes: [{ name: 'a', labels: { zone: 'east' } }],
    objects: [podOf('web-a', { nodeName: 'a' }, { app: 'web' })],
    pod: podOf(
      'app',
      { topologySpreadConstraints: [{ ...spreading('zone').topologySpreadConstraints[0]!, minDomains: 2 }] },
      { app: 'web' },
    ),
    message:
      "0/1 nodes are available: 1 node(s) didn't match pod topology spread constraints. no new claims to deallocate, preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod.",
  },
  {
    title: 'nodes that differ',
    nodes: [
      { name: 'a', taints: [taint('first')] },
      { name: 'b', capacity: { cpu: '1' } },
      { name: 'c', labels: { disk: 'slow' } },
      { name: 'd', taints: [taint('first')] },
    ],
    pod: podOf('app', {
      ...requesting({ cpu: '2' }),
      ...onNodesWith('matchExpressions', 'disk', ['fast', '']),
    }),
    message:
      "0/4 nodes are available: 2 node(s) didn't match Pod's node affinity/selector, 2 node(s) had untolerated taint(s). no new claims to deallocate, preemption: 0/4 nodes are available: 4 Preemption is not helpful for scheduling.",
  },
  {
    title: 'a higher priority than that of pods which are too small',
    nodes: [{ name: 'a', capacity: { cpu: '2' } }],
    objects: [priorityClass('high', 1000), podOf('small', { nodeName: 'a', ...requesting({ cpu: '500m' }) })],
    pod: podOf('app', { priorityClassName: 'high', ...requesting({ cpu: '3' }) }),
    message:
      '0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate, preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.',
  },
  {
    title: 'a higher priority than that of pods whose removal does not help',
    nodes: [{ name: 'a', capacity: { cpu: '2' } }],
    objects: [
      priorityClass('high', 1000),
      podOf('equal', { nodeName: 'a', priorityClassName: 'high', ...requesting({ cpu: '1500m' }) }),
      podOf('small', { nodeName: 'a', ...requesting({ cpu: '100m' }) }),
    ],
    pod: podOf('app', { priorityClassName: 'high', ...requesting({ cpu: '1' }) }),
    message:
      '0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate, preemption: 0/1 nodes are available: 1 Insufficient cpu.',
  },
  {
    title: 'a higher priority without preemption',
    nodes: [{ name: 'a', capacity: { cpu: '2' } }],
    objects: [
      { ...priorityClass('polite', 1000), preemptionPolicy: 'Never' } as KubernetesObject,
      podOf('small', { nodeName: 'a', ...requesting({ cpu: '1' }) }),
    ],
    pod: podOf('app', { priorityClassName: 'polite', ...requesting({ cpu: '2' }) }),
    message:
      '0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate, preemption: not eligible due to preemptionPolicy=Never.',
  },
];
