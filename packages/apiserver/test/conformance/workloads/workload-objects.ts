/** Valid objects of one kind, by what they show. */
interface Workloads {
  path: string;
  objects: Readonly<Record<string, any>>;
  /** The object of which a real server stores less than it shows. A client that sends it back changes it. */
  shortened?: string;
}

const labels = { app: 'a' };
const selector = { matchLabels: labels };
const containers = [{ name: 'c', image: 'i' }];
const template = { metadata: { labels }, spec: { containers } };
const jobTemplate = { metadata: { labels }, spec: { restartPolicy: 'Never', containers } };
const status = { replicas: 3, readyReplicas: 2 };

/** A template that shows the defaults of pods. */
const richTemplate = {
  metadata: { labels, annotations: { a: 'b' } },
  spec: {
    containers: [
      {
        name: 'c',
        image: 'registry/i:v1',
        ports: [{ containerPort: 80 }],
        env: [{ name: 'A', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }],
        livenessProbe: { httpGet: { port: 80 } },
        resources: { limits: { cpu: '0.5', memory: '1024Mi' } },
      },
    ],
    initContainers: [{ name: 'i', image: 'i:latest' }],
    serviceAccountName: 'account',
    hostNetwork: false,
    volumes: [{ name: 'v', configMap: { name: 'x' } }, { name: 'w' }],
  },
};

const apps = '/apis/apps/v1/namespaces/default';

const deployments: Workloads = {
  path: `${apps}/deployments`,
  objects: {
    'the least': { spec: { selector, template } },
    'a rich template': { spec: { selector, template: richTemplate } },
    'a part of the strategy': { spec: { selector, template, strategy: { rollingUpdate: { maxSurge: 1 } } } },
    'another strategy': { spec: { selector, template, strategy: { type: 'Recreate' } } },
    zeros: {
      metadata: { labels: {}, annotations: {} },
      spec: {
        selector,
        template,
        replicas: 0,
        minReadySeconds: 0,
        revisionHistoryLimit: 0,
        paused: false,
        progressDeadlineSeconds: 1,
      },
    },
    'a status': { spec: { selector, template }, status },
    'empty fields': {
      spec: {
        selector: { ...selector, matchExpressions: [] },
        template,
        strategy: { type: '', rollingUpdate: null },
      },
    },
  },
};

const replicaSets: Workloads = {
  path: `${apps}/replicasets`,
  objects: {
    'the least': { spec: { selector, template } },
    'a status': { spec: { selector, template, replicas: 2, minReadySeconds: 5 }, status },
  },
};

const replicationControllers: Workloads = {
  path: '/api/v1/namespaces/default/replicationcontrollers',
  objects: {
    'the least': { spec: { template } },
    'labels and a selector': {
      metadata: { labels: { own: 'label' } },
      spec: { template, selector: labels, replicas: 0 },
    },
    'a rich template': { spec: { template: richTemplate }, status },
  },
};

const statefulSets: Workloads = {
  path: `${apps}/statefulsets`,
  objects: {
    'the least': { spec: { selector, template } },
    claims: {
      spec: {
        selector,
        serviceName: 'web',
        template,
        volumeClaimTemplates: [
          {
            metadata: { name: 'data', labels },
            spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '0.5Gi' } } },
          },
          {
            kind: 'Other',
            metadata: { name: 'blocks' },
            spec: {
              accessModes: ['ReadWriteMany'],
              volumeMode: 'Block',
              storageClassName: 'fast',
              resources: { requests: { storage: '1Gi' } },
            },
            status: { phase: 'Bound' },
          },
        ],
      },
    },
    'a strategy without more': { spec: { selector, template, updateStrategy: { type: 'RollingUpdate' } } },
    'a part of the strategy': { spec: { selector, template, updateStrategy: { rollingUpdate: {} } } },
    'unavailable pods': {
      spec: { selector, template, updateStrategy: { rollingUpdate: { maxUnavailable: 3 } } },
    },
    'another strategy': { spec: { selector, template, updateStrategy: { type: 'OnDelete' } } },
    'a part of the retention': {
      spec: {
        selector,
        template,
        ordinals: { start: 2 },
        persistentVolumeClaimRetentionPolicy: { whenScaled: 'Delete' },
      },
    },
    'a status': { spec: { selector, template, podManagementPolicy: 'Parallel' }, status },
  },
};

const daemonSets: Workloads = {
  path: `${apps}/daemonsets`,
  objects: {
    'the least': { spec: { selector, template } },
    'a part of the strategy': {
      spec: { selector, template, updateStrategy: { rollingUpdate: { maxUnavailable: '5%' } } },
    },
    'another strategy': { spec: { selector, template, updateStrategy: { type: 'OnDelete' } } },
    'another strategy and a pace': {
      spec: {
        selector,
        template,
        updateStrategy: { type: 'OnDelete', rollingUpdate: { maxUnavailable: 2 } },
      },
    },
    'a generation of the template': {
      metadata: { annotations: { 'deprecated.daemonset.template.generation': '5', other: 'x' } },
      spec: { selector, template },
      status: { numberReady: 5 },
    },
  },
};

const controllerRevisions: Workloads = {
  path: `${apps}/controllerrevisions`,
  objects: {
    'the least': { data: {} },
    more: { data: { spec: { template, list: [1, null, 'x'] } }, revision: 5 },
  },
};

const jobs: Workloads = {
  path: '/apis/batch/v1/namespaces/default/jobs',
  shortened: 'the least',
  objects: {
    'the least': { spec: { template: { spec: jobTemplate.spec } } },
    'labels of pods': { spec: { template: jobTemplate } },
    'labels of its own': { metadata: { labels: { own: 'label' } }, spec: { template: jobTemplate } },
    parallelism: { spec: { template: jobTemplate, parallelism: 3 } },
    completions: { spec: { template: jobTemplate, completions: 3, suspend: true } },
    indexes: {
      spec: { template: jobTemplate, completions: 3, completionMode: 'Indexed', backoffLimitPerIndex: 2 },
    },
    'a policy of failures': {
      spec: {
        template: jobTemplate,
        podFailurePolicy: {
          rules: [
            { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget' }] },
            { action: 'FailJob', onExitCodes: { operator: 'NotIn', values: [1, 2] } },
          ],
        },
      },
    },
    'a selector by hand': { spec: { template: jobTemplate, manualSelector: true, selector } },
    'more selected': { spec: { template: jobTemplate, manualSelector: false, ttlSecondsAfterFinished: 0 } },
    'a status': { spec: { template: jobTemplate }, status: { active: 3 } },
  },
};

const cronJobs: Workloads = {
  path: '/apis/batch/v1/namespaces/default/cronjobs',
  objects: {
    'the least': { spec: { schedule: '@daily', jobTemplate: { spec: { template: jobTemplate } } } },
    more: {
      spec: {
        schedule: '0 * * * *',
        timeZone: 'Europe/Berlin',
        suspend: true,
        concurrencyPolicy: 'Replace',
        startingDeadlineSeconds: 5,
        successfulJobsHistoryLimit: 0,
        failedJobsHistoryLimit: 0,
        jobTemplate: {
          metadata: { labels },
          spec: {
            template: jobTemplate,
            podFailurePolicy: { rules: [{ action: 'Ignore', onPodConditions: [{ type: 'Ready' }] }] },
          },
        },
      },
      status: { active: [{ name: 'x' }] },
    },
  },
};

const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };
const policies = [{ type: 'Pods', value: 1, periodSeconds: 5 }];

const autoscalers: Workloads = {
  path: '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers',
  objects: {
    'the least': { spec: { scaleTargetRef, maxReplicas: 3 } },
    'empty behavior': { spec: { scaleTargetRef, maxReplicas: 3, behavior: {} } },
    'a rule up': { spec: { scaleTargetRef, maxReplicas: 3, behavior: { scaleUp: { policies } } } },
    'a rule down': {
      spec: {
        scaleTargetRef,
        maxReplicas: 3,
        minReplicas: 2,
        behavior: { scaleDown: { stabilizationWindowSeconds: 5, selectPolicy: 'Min', tolerance: '0.05' } },
      },
      status: { currentReplicas: 5 },
    },
    metrics: {
      spec: {
        scaleTargetRef,
        maxReplicas: 3,
        metrics: [
          {
            type: 'Resource',
            resource: { name: 'memory', target: { type: 'AverageValue', averageValue: '1024Mi' } },
          },
          {
            type: 'External',
            external: { metric: { name: 'x', selector }, target: { type: 'Value', value: '0.5' } },
          },
        ],
      },
    },
  },
};

const budgets: Workloads = {
  path: '/apis/policy/v1/namespaces/default/poddisruptionbudgets',
  objects: {
    'the least': {},
    more: { spec: { selector, maxUnavailable: '50%', unhealthyPodEvictionPolicy: 'AlwaysAllow' } },
    'a status': { spec: { selector: {}, minAvailable: 0 }, status: { currentHealthy: 5 } },
  },
};

/** The objects to create of every kind, by the name of the recorded file. */
export const workloads: Readonly<Record<string, Workloads>> = {
  deployments,
  replicaSets,
  replicationControllers,
  statefulSets,
  daemonSets,
  controllerRevisions,
  jobs,
  cronJobs,
  autoscalers,
  budgets,
};
