import { type Step, create, patch, remove } from './quota-session.ts';

interface QuotaCase {
  quotas: Record<string, object>;
  steps: Record<string, Step>;
}

const container = (requests?: object, limits?: object, name = 'c') => ({
  name,
  image: 'i',
  resources: { ...(requests && { requests }), ...(limits && { limits }) },
});
const pod = (name: string, containers: unknown[], more: object = {}, metadata: object = {}): Step =>
  create('pods', name, { metadata: { name, ...metadata }, spec: { containers, ...more } });
const sized = (cpu: string, memory: string) => container({ cpu, memory }, { cpu, memory });
const plain = [container()];
const claim = (name: string, storage: string, spec: object = {}): Step =>
  create('persistentvolumeclaims', name, {
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } }, ...spec },
  });
const service = (name: string, spec: object, ...ports: number[]): Step =>
  create('services', name, { spec: { ports: ports.map((port) => ({ name: `p${port}`, port })), ...spec } });
const template = { metadata: { labels: { a: 'b' } }, spec: { containers: plain } };
const deployment = { spec: { selector: { matchLabels: { a: 'b' } }, template } };
const term = (more: object) => ({ topologyKey: 'k', labelSelector: { matchLabels: { a: 'b' } }, ...more });
const selected = (scopeName: string, operator: string, values?: string[]) => ({
  scopeSelector: { matchExpressions: [{ scopeName, operator, ...(values && { values }) }] },
});

/** Quotas, and requests that meet them one after the other. */
export const quotaCases: Record<string, QuotaCase> = {
  compute: {
    quotas: {
      compute: {
        hard: {
          pods: '4',
          'requests.cpu': '1',
          'requests.memory': '1Gi',
          'limits.cpu': '2',
          'limits.memory': '2Gi',
        },
      },
    },
    steps: {
      'nothing stated': pod('a', [container(), container(undefined, undefined, 'b')]),
      'only requests stated': pod('a', [container({ cpu: '100m', memory: '64Mi' })]),
      'one of two stated': pod('a', [sized('100m', '64Mi'), container(undefined, undefined, 'b')]),
      small: pod('small', [sized('100m', '64Mi')]),
      'too much CPU': pod('a', [sized('950m', '64Mi')]),
      'too much of everything': pod('a', [sized('5', '5Gi')]),
      'an init container': pod('init', [sized('100m', '64Mi')], {
        initContainers: [{ ...sized('300m', '32Mi'), name: 'i' }],
      }),
      'a sidecar': pod('sidecar', [sized('100m', '64Mi')], {
        initContainers: [{ ...sized('50m', '32Mi'), name: 's', restartPolicy: 'Always' }],
      }),
      'other requests than limits': pod('burstable', [
        container({ cpu: '0.1', memory: '1e6' }, { cpu: '1', memory: '1G' }),
      ]),
      'too many pods': pod('a', [sized('10m', '1Mi')]),
      'a generated name': create('pods', '', {
        metadata: { generateName: 'gen-' },
        spec: { containers: [sized('10m', '1Mi')] },
      }),
      'a label': patch('pods/small', { metadata: { labels: { a: 'b' } } }),
      'resized within the quota': patch('pods/small/resize', {
        spec: {
          containers: [{ name: 'c', resources: { requests: { cpu: '200m' }, limits: { cpu: '200m' } } }],
        },
      }),
      'resized beyond the quota': patch('pods/small/resize', {
        spec: { containers: [{ name: 'c', resources: { requests: { cpu: '5' }, limits: { cpu: '5' } } }] },
      }),
      ended: patch('pods/small/status', { status: { phase: 'Succeeded' } }, true),
      deleted: remove('pods/init'),
      'room again': pod('again', [sized('10m', '1Mi')]),
    },
  },
  'other resources': {
    quotas: {
      devices: {
        hard: {
          'requests.example.com/gpu': '2',
          'hugepages-2Mi': '8Mi',
          'requests.ephemeral-storage': '1Gi',
          'limits.ephemeral-storage': '2Gi',
          cpu: '1',
          memory: '1Gi',
        },
      },
    },
    steps: {
      devices: pod('devices', [
        container({ 'example.com/gpu': '1', cpu: '100m', memory: '1Mi' }, { 'example.com/gpu': '1' }),
      ]),
      'too many devices': pod('a', [
        container({ 'example.com/gpu': '2', cpu: '100m', memory: '1Mi' }, { 'example.com/gpu': '2' }),
      ]),
      'huge pages': pod('pages', [
        container({ 'hugepages-2Mi': '4Mi', cpu: '100m', memory: '1Mi' }, { 'hugepages-2Mi': '4Mi' }),
      ]),
      'too many huge pages': pod('a', [
        container({ 'hugepages-2Mi': '6Mi', cpu: '100m', memory: '1Mi' }, { 'hugepages-2Mi': '6Mi' }),
      ]),
      'ephemeral storage': pod('ephemeral', [
        container(
          { 'ephemeral-storage': '0.5Gi', cpu: '100m', memory: '1Mi' },
          { 'ephemeral-storage': '1Gi' },
        ),
      ]),
      'resources of the pod': pod('pod-level', plain, {
        resources: { requests: { cpu: '200m', memory: '10Mi' }, limits: { cpu: '1', memory: '10Mi' } },
      }),
      'only memory of the pod': pod('pod-memory', plain, { resources: { requests: { memory: '10Mi' } } }),
      deleted: remove('pods/devices'),
    },
  },
  counts: {
    quotas: {
      counts: {
        hard: {
          configmaps: '2',
          'count/configmaps': '1',
          secrets: '1',
          'count/deployments.apps': '1',
          'count/pods': '1',
          replicationcontrollers: '0',
          resourcequotas: '2',
          'count/leases.coordination.k8s.io': '1',
          'count/nothing.example.com': '1',
        },
      },
    },
    steps: {
      'a ConfigMap': create('configmaps', 'a'),
      'another ConfigMap': create('configmaps', 'b'),
      'a change': patch('configmaps/a', { data: { a: 'b' } }),
      'a Secret': create('secrets', 'a'),
      'another Secret': create('secrets', 'b'),
      'a Deployment': create('apps:deployments', 'a', deployment),
      'another Deployment': create('apps:deployments', 'b', deployment),
      'a pod': pod('a', plain),
      'another pod': pod('b', plain),
      'an ended pod': patch('pods/a/status', { status: { phase: 'Failed' } }),
      'a third pod': pod('c', plain),
      'a controller': create('replicationcontrollers', 'a', { spec: { selector: { a: 'b' }, template } }),
      'a quota': create('resourcequotas', 'second', { spec: {} }),
      'another quota': create('resourcequotas', 'third', { spec: {} }),
      'a lease': create('coordination.k8s.io:leases', 'a'),
      'another lease': create('coordination.k8s.io:leases', 'b'),
      'a Service': service('s', {}, 80),
      'a deleted ConfigMap': remove('configmaps/a'),
      'a ConfigMap again': create('configmaps', 'b'),
      'a deleted Deployment': remove('apps:deployments/a'),
    },
  },
  services: {
    quotas: {
      services: {
        hard: {
          services: '5',
          'count/services': '6',
          'services.nodeports': '3',
          'services.loadbalancers': '1',
        },
      },
    },
    steps: {
      plain: service('plain', {}, 80),
      'node ports': service('ports', { type: 'NodePort' }, 80, 81),
      'too many node ports': service('a', { type: 'NodePort' }, 80, 81),
      'a load balancer without node ports': service(
        'balancer',
        { type: 'LoadBalancer', allocateLoadBalancerNodePorts: false },
        80,
        81,
      ),
      'another load balancer': service('a', { type: 'LoadBalancer' }, 80),
      'changed to node ports': patch('services/plain', { spec: { type: 'NodePort' } }),
      'more node ports': patch('services/plain', { spec: { ports: [{ name: 'p90', port: 90 }] } }),
      'a label': patch('services/plain', { metadata: { labels: { a: 'b' } } }),
      'changed back': patch('services/ports', { spec: { type: 'ClusterIP' } }, true),
      headless: service('headless', { clusterIP: 'None' }, 80),
      external: service('external', { type: 'ExternalName', externalName: 'example.com' }),
      'too many': service('a', {}, 80),
      deleted: remove('services/balancer'),
    },
  },
  storage: {
    quotas: {
      storage: {
        hard: {
          persistentvolumeclaims: '4',
          'count/persistentvolumeclaims': '9',
          'requests.storage': '10Gi',
          'gold.storageclass.storage.k8s.io/requests.storage': '4Gi',
          'gold.storageclass.storage.k8s.io/persistentvolumeclaims': '1',
          'none.storageclass.storage.k8s.io/persistentvolumeclaims': '0',
        },
      },
    },
    steps: {
      plain: claim('plain', '2Gi'),
      'too large': claim('a', '9Gi'),
      golden: claim('golden', '3Gi', { storageClassName: 'gold' }),
      'another golden one': claim('a', '2Gi', { storageClassName: 'gold' }),
      'a forbidden class': claim('a', '1Gi', { storageClassName: 'none' }),
      'an old class': create('persistentvolumeclaims', 'old', {
        metadata: { name: 'old', annotations: { 'volume.beta.kubernetes.io/storage-class': 'silver' } },
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1.5' } } },
      }),
      'a label': patch('persistentvolumeclaims/plain', { metadata: { labels: { a: 'b' } } }),
      allocated: patch('persistentvolumeclaims/golden/status', {
        status: { phase: 'Bound', capacity: { storage: '3Gi' }, allocatedResources: { storage: '20Gi' } },
      }),
    },
  },
  scopes: {
    quotas: {
      terminating: { hard: { pods: '1' }, scopes: ['Terminating'] },
      endless: { hard: { pods: '9', 'requests.cpu': '3' }, scopes: ['NotTerminating', 'NotBestEffort'] },
      'best-effort': { hard: { pods: '1' }, scopes: ['BestEffort'] },
      'not-best-effort': { hard: { pods: '9' }, scopes: ['NotBestEffort'] },
      affinity: { hard: { pods: '0' }, scopes: ['CrossNamespacePodAffinity'] },
      volumes: {
        hard: { persistentvolumeclaims: '1' },
        ...selected('VolumeAttributesClass', 'In', ['silver']),
      },
      'other-volumes': {
        hard: { persistentvolumeclaims: '2' },
        ...selected('VolumeAttributesClass', 'NotIn', ['silver']),
      },
    },
    steps: {
      'best effort': pod('best', plain),
      'another best effort': pod('a', plain),
      burstable: pod('burstable', [container({ cpu: '1' })]),
      'no CPU stated': pod('a', [container({ memory: '1Gi' })]),
      'with a deadline': pod('deadline', [container({ memory: '1Gi' })], { activeDeadlineSeconds: 60 }),
      'another with a deadline': pod('a', [container({ memory: '1Gi' })], { activeDeadlineSeconds: 60 }),
      'a new deadline': patch('pods/burstable', { spec: { activeDeadlineSeconds: 60 } }),
      'affinity here': pod('near', [container({ cpu: '1' })], {
        affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term({})] } },
      }),
      'affinity elsewhere': pod('a', [container({ cpu: '1' })], {
        affinity: {
          podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term({ namespaces: ['b'] })] },
        },
      }),
      'preferred affinity elsewhere': pod('a', [container({ cpu: '1' })], {
        affinity: {
          podAntiAffinity: {
            preferredDuringSchedulingIgnoredDuringExecution: [
              { weight: 1, podAffinityTerm: term({ namespaceSelector: {} }) },
            ],
          },
        },
      }),
      'a silver claim': claim('silver', '1Gi', { volumeAttributesClassName: 'silver' }),
      'another silver claim': claim('a', '1Gi', { volumeAttributesClassName: 'silver' }),
      'a plain claim': claim('plain', '1Gi'),
      'a golden claim': claim('golden', '1Gi', { volumeAttributesClassName: 'gold' }),
      'a Service': service('s', {}, 80),
      deleted: remove('pods/deadline'),
    },
  },
  priorities: {
    quotas: {
      'one-of': { hard: { pods: '1' }, ...selected('PriorityClass', 'In', ['quota-high', 'quota-low']) },
      'none-of': { hard: { pods: '3' }, ...selected('PriorityClass', 'NotIn', ['quota-high']) },
      some: { hard: { pods: '2' }, ...selected('PriorityClass', 'Exists') },
      none: { hard: { pods: '1' }, ...selected('PriorityClass', 'DoesNotExist') },
    },
    steps: {
      high: pod('high', plain, { priorityClassName: 'quota-high' }),
      low: pod('low', plain, { priorityClassName: 'quota-low' }),
      system: pod('system', plain, { priorityClassName: 'system-cluster-critical' }),
      plain: pod('plain', plain),
      'another plain one': pod('plain2', plain),
      deleted: remove('pods/high', ['one-of', 'some']),
      'low now': pod('low', plain, { priorityClassName: 'quota-low' }),
    },
  },
  'changed limits': {
    quotas: { changing: { hard: { configmaps: '2' } } },
    steps: {
      first: create('configmaps', 'a'),
      second: create('configmaps', 'b'),
      lower: patch('resourcequotas/changing', { spec: { hard: { configmaps: '1' } } }, true),
      'too many': create('configmaps', 'c'),
      'a change': patch('configmaps/a', { data: { a: 'b' } }),
      'another resource': patch(
        'resourcequotas/changing',
        { spec: { hard: { configmaps: null, secrets: '1' } } },
        true,
      ),
      'no limit': create('configmaps', 'c'),
      'a Secret': create('secrets', 'a'),
      'without limits': patch('resourcequotas/changing', { spec: { hard: null } }, true),
      'another Secret': create('secrets', 'b'),
    },
  },
};
