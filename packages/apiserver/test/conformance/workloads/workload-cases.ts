/** Merge patches of the base object of a kind, by what they show. */
type Changes = Readonly<Record<string, unknown>>;

/** The cases of one kind. */
export interface WorkloadKind {
  path: string;
  /** A valid object without a name. */
  base: Record<string, unknown>;
  /** New objects. The server refuses most of them. */
  creations: Changes;
  /** Updates of the base object. The server refuses some of them. */
  updates: Changes;
  /** A patch of the base object before the `updates`. */
  before?: Record<string, unknown>;
  /** Writes of the status. */
  statuses?: Changes;
}

const labels = { app: 'a' };
const selector = { matchLabels: labels };

/** A template of pods that run forever. */
const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } };
const jobTemplate = {
  metadata: { labels },
  spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] },
};

const spec = (fields: unknown) => ({ spec: fields });
const status = (fields: unknown) => ({ status: fields });
const inTemplate = (fields: unknown) => spec({ template: { spec: fields } });

/** What Deployments, ReplicaSets, StatefulSets and DaemonSets all refuse. */
const ofTemplates: Changes = {
  'no spec': { spec: null },
  'no selector': spec({ selector: null }),
  'an empty selector': spec({ selector: { matchLabels: null } }),
  'no template': spec({ template: null }),
  'no labels': spec({ template: { metadata: null } }),
  'no spec of pods': spec({ template: { spec: null } }),
  'no containers': inTemplate({ containers: [] }),
  'a container without image': inTemplate({ containers: [{ name: 'c' }] }),
  'other labels': spec({ template: { metadata: { labels: { app: 'b' } } } }),
  'other labels in order': spec({ template: { metadata: { labels: { z: 'z', app: 'b', b: 'a' } } } }),
  'more labels': spec({ template: { metadata: { labels: { more: 'b' } } } }),
  'a bad label': spec({ template: { metadata: { labels: { 'a b': '-' } } } }),
  'a bad label in the selector': spec({ selector: { matchLabels: { 'a b': '-' } } }),
  'a selector by expressions': spec({
    selector: {
      matchLabels: null,
      matchExpressions: [
        { key: 'app', operator: 'In', values: ['a', 'b'] },
        { key: 'no', operator: 'DoesNotExist' },
        { key: 'app', operator: 'Exists' },
        { key: 'app', operator: 'NotIn', values: ['c'] },
      ],
    },
  }),
  'expressions that select others': spec({
    selector: { matchExpressions: [{ key: 'app', operator: 'NotIn', values: ['a'] }] },
  }),
  'an unknown operator': spec({
    selector: { matchExpressions: [{ key: 'app', operator: 'Is', values: ['a'] }] },
  }),
  'no values': spec({ selector: { matchExpressions: [{ key: 'app', operator: 'In' }] } }),
  'values of nothing': spec({
    selector: { matchExpressions: [{ key: 'app', operator: 'Exists', values: ['a'] }] },
  }),
  'a bad value': spec({ selector: { matchExpressions: [{ key: 'app', operator: 'NotIn', values: ['-'] }] } }),
  'a bad key': spec({ selector: { matchExpressions: [{ key: 'a b', operator: 'Exists' }] } }),
  'pods that end': inTemplate({ restartPolicy: 'Never' }),
  'pods that may end': inTemplate({ restartPolicy: 'OnFailure' }),
  'pods with a deadline': inTemplate({ activeDeadlineSeconds: 5 }),
  'negative seconds': spec({ minReadySeconds: -1 }),
  'a negative history': spec({ revisionHistoryLimit: -1 }),
  'no history': spec({ revisionHistoryLimit: 0 }),
  'a bad name': { metadata: { name: 'A_b' } },
  'a name with dots': { metadata: { name: 'a.b' } },
  'many faults': spec({ replicas: -1, minReadySeconds: -1, selector: { matchLabels: { x: 'y' } } }),
};

const ofReplicas: Changes = {
  'negative replicas': spec({ replicas: -1 }),
  'no replicas': spec({ replicas: 0 }),
};

const rolling = (rollingUpdate: unknown) => spec({ strategy: { rollingUpdate } });
const updating = (rollingUpdate: unknown) => spec({ updateStrategy: { rollingUpdate } });

const ofStrategies = (field: (rollingUpdate: unknown) => unknown): Changes => ({
  'both none': field({ maxSurge: 0, maxUnavailable: 0 }),
  'both none in percent': field({ maxSurge: '0%', maxUnavailable: '0%' }),
  'both some': field({ maxSurge: 1, maxUnavailable: 1 }),
  'surge alone': field({ maxSurge: 1, maxUnavailable: 0 }),
  'more than all': field({ maxSurge: '101%', maxUnavailable: '101%' }),
  'much more': field({ maxSurge: '1000%', maxUnavailable: 0 }),
  'no percentage': field({ maxSurge: 'x', maxUnavailable: '5' }),
  'a number in quotes': field({ maxSurge: '0', maxUnavailable: '0' }),
  'negative numbers': field({ maxSurge: -1, maxUnavailable: -1 }),
  'a percentage with a point': field({ maxUnavailable: '1.5%' }),
  'a negative percentage': field({ maxUnavailable: '-5%' }),
  'a number alone': field({ maxUnavailable: 3 }),
});

const replicaStatuses: Changes = {
  'all right': status({ replicas: 3, readyReplicas: 2, availableReplicas: 1, observedGeneration: 1 }),
  'negative numbers': status({ replicas: -1, readyReplicas: -2, availableReplicas: -3 }),
  'more than there are': status({ replicas: 1, readyReplicas: 2, availableReplicas: 3 }),
  'negative generation': status({ observedGeneration: -1 }),
  'terminating replicas': status({ terminatingReplicas: 2 }),
  'fewer than none terminate': status({ terminatingReplicas: -2 }),
  'more labelled, updated and current': status({
    replicas: 1,
    fullyLabeledReplicas: 2,
    updatedReplicas: 2,
    currentReplicas: 2,
  }),
  'another spec': { spec: { minReadySeconds: 5 }, status: { replicas: 1 } },
  'other labels and annotations': { metadata: { labels: { a: 'b' }, annotations: { a: 'b' } } },
  'a negative collision count': status({ collisionCount: -1 }),
  conditions: status({ conditions: [{ type: 'Available', status: 'True' }] }),
};

const templateUpdates: Changes = {
  nothing: {},
  labels: { metadata: { labels: { a: 'b' } } },
  annotations: { metadata: { annotations: { a: 'b' } } },
  'more replicas': spec({ replicas: 5 }),
  'another image': inTemplate({ containers: [{ name: 'c', image: 'j' }] }),
  'more seconds': spec({ minReadySeconds: 5 }),
  history: spec({ revisionHistoryLimit: 3 }),
  'another selector': spec({
    selector: { matchLabels: { app: 'b' } },
    template: { metadata: { labels: { app: 'b' } } },
  }),
  'a wider selector': spec({ selector: { matchLabels: { more: 'b' } } }),
  'no selector': spec({ selector: null }),
  'an empty selector': spec({ selector: { matchLabels: null } }),
  'other labels of pods': spec({ template: { metadata: { labels: { app: 'b' } } } }),
  'more labels of pods': spec({ template: { metadata: { labels: { more: 'b' } } } }),
  'pods that end': inTemplate({ restartPolicy: 'Never' }),
  'negative replicas': spec({ replicas: -1 }),
  status: status({ replicas: 5 }),
};

const deployments: WorkloadKind = {
  path: '/apis/apps/v1/namespaces/default/deployments',
  base: spec({ selector, template }),
  creations: {
    ...ofTemplates,
    ...ofReplicas,
    ...ofStrategies(rolling),
    recreate: spec({ strategy: { type: 'Recreate' } }),
    'recreate by rolling': spec({ strategy: { type: 'Recreate', rollingUpdate: { maxSurge: 1 } } }),
    'recreate with nothing': spec({ strategy: { type: 'Recreate', rollingUpdate: {} } }),
    'an unknown strategy': spec({ strategy: { type: 'Slow' } }),
    'an unknown strategy by rolling': spec({ strategy: { type: 'Slow', rollingUpdate: { maxSurge: '5%' } } }),
    'a short deadline': spec({ progressDeadlineSeconds: 5, minReadySeconds: 5 }),
    'no deadline': spec({ progressDeadlineSeconds: 0 }),
    'a negative deadline': spec({ progressDeadlineSeconds: -1 }),
    paused: spec({ paused: true }),
  },
  updates: {
    ...templateUpdates,
    recreate: spec({ strategy: { type: 'Recreate', rollingUpdate: null } }),
    paused: spec({ paused: true }),
  },
  statuses: { ...replicaStatuses, 'unavailable replicas': status({ unavailableReplicas: -1 }) },
};

const replicaSets: WorkloadKind = {
  path: '/apis/apps/v1/namespaces/default/replicasets',
  base: spec({ selector, template }),
  creations: { ...ofTemplates, ...ofReplicas },
  updates: templateUpdates,
  statuses: replicaStatuses,
};

const replicationControllers: WorkloadKind = {
  path: '/api/v1/namespaces/default/replicationcontrollers',
  base: spec({ template }),
  creations: {
    ...ofReplicas,
    'no spec': { spec: null },
    'no template': spec({ template: null }),
    'no template but a selector': spec({ template: null, selector: labels }),
    'no labels': spec({ template: { metadata: null } }),
    'no labels but a selector': spec({ template: { metadata: null }, selector: labels }),
    'another selector': spec({ selector: { app: 'b' } }),
    'a bad selector': spec({ selector: { 'a b': '-' } }),
    'an empty selector': spec({ selector: {} }),
    'labels of its own': { metadata: { labels: { own: 'label' } } },
    'pods that end': inTemplate({ restartPolicy: 'Never' }),
    'pods with a deadline': inTemplate({ activeDeadlineSeconds: 5 }),
    'negative seconds': spec({ minReadySeconds: -1 }),
    'a name with dots': { metadata: { name: 'a.b' } },
  },
  updates: {
    nothing: {},
    'more replicas': spec({ replicas: 3 }),
    'another selector': spec({ selector: { app: 'b' }, template: { metadata: { labels: { app: 'b' } } } }),
    'a selector of others': spec({ selector: { app: 'b' } }),
    'no selector': spec({ selector: null }),
    'another image': inTemplate({ containers: [{ name: 'c', image: 'j' }] }),
    'no template': spec({ template: null }),
    status: status({ replicas: 5 }),
  },
  statuses: replicaStatuses,
};

const claim = (fields: object = {}) => ({
  metadata: { name: 'data' },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...fields },
});

const statefulSets: WorkloadKind = {
  path: '/apis/apps/v1/namespaces/default/statefulsets',
  base: spec({ selector, template, serviceName: 'web' }),
  creations: {
    ...ofTemplates,
    ...ofReplicas,
    parallel: spec({ podManagementPolicy: 'Parallel' }),
    'an unknown management': spec({ podManagementPolicy: 'Random' }),
    'on delete': spec({ updateStrategy: { type: 'OnDelete' } }),
    'on delete by rolling': spec({ updateStrategy: { type: 'OnDelete', rollingUpdate: { partition: 1 } } }),
    'an unknown strategy': spec({ updateStrategy: { type: 'Slow' } }),
    'an unknown strategy by rolling': spec({
      updateStrategy: { type: 'Slow', rollingUpdate: { partition: 2 } },
    }),
    'rolling without more': spec({ updateStrategy: { type: 'RollingUpdate' } }),
    'a partition': updating({ partition: 2 }),
    'a negative partition': updating({ partition: -1 }),
    'unavailable pods': updating({ maxUnavailable: 2 }),
    'no unavailable pods': updating({ maxUnavailable: 0 }),
    'claims go': spec({ persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Delete' } }),
    'claims go somewhere': spec({
      persistentVolumeClaimRetentionPolicy: { whenScaled: 'Sell', whenDeleted: 'x' },
    }),
    ordinals: spec({ ordinals: { start: 3 } }),
    'negative ordinals': spec({ ordinals: { start: -1 } }),
    'no service': spec({ serviceName: null }),
    'a bad service': spec({ serviceName: 'Web_1' }),
    'a service with dots': spec({ serviceName: 'a.b' }),
    'a long name': { metadata: { name: 'a'.repeat(64) } },
    claims: spec({ volumeClaimTemplates: [claim()] }),
    'claims of blocks': spec({
      volumeClaimTemplates: [claim({ volumeMode: 'Block', storageClassName: 'x' })],
    }),
    'a claim without anything': spec({ volumeClaimTemplates: [{ metadata: { name: 'data' } }] }),
    'a claim without name': spec({ volumeClaimTemplates: [{ ...claim(), metadata: {} }] }),
    'a claim of nothing': spec({
      volumeClaimTemplates: [claim({ resources: { requests: { storage: '0' } } })],
    }),
    'a claim in another mode': spec({
      volumeClaimTemplates: [claim({ volumeMode: 'Tape', accessModes: ['x'] })],
    }),
    'a claim that is mounted': spec({
      volumeClaimTemplates: [claim()],
      template: {
        spec: { containers: [{ name: 'c', image: 'i', volumeMounts: [{ name: 'data', mountPath: '/d' }] }] },
      },
    }),
    'a claim that is not there': inTemplate({
      containers: [{ name: 'c', image: 'i', volumeMounts: [{ name: 'data', mountPath: '/d' }] }],
    }),
    'a host name': inTemplate({ hostname: 'A_b', subdomain: 'C_d' }),
  },
  updates: {
    ...templateUpdates,
    'a partition': updating({ partition: 1 }),
    'on delete': spec({ updateStrategy: { type: 'OnDelete', rollingUpdate: null } }),
    ordinals: spec({ ordinals: { start: 2 } }),
    retention: spec({ persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Delete' } }),
    service: spec({ serviceName: 'other' }),
    management: spec({ podManagementPolicy: 'Parallel' }),
    'a negative history': spec({ revisionHistoryLimit: -1 }),
    claims: spec({ volumeClaimTemplates: [claim()] }),
    'a bad image policy': inTemplate({ containers: [{ name: 'c', image: 'i', imagePullPolicy: 'x' }] }),
  },
  statuses: replicaStatuses,
};

const daemonSets: WorkloadKind = {
  path: '/apis/apps/v1/namespaces/default/daemonsets',
  base: spec({ selector, template }),
  creations: {
    ...ofTemplates,
    ...ofStrategies(updating),
    'on delete': spec({ updateStrategy: { type: 'OnDelete' } }),
    'an unknown strategy': spec({ updateStrategy: { type: 'Slow' } }),
    'a generation of the template': {
      metadata: { annotations: { 'deprecated.daemonset.template.generation': '7' } },
    },
    'a negative generation': {
      metadata: { annotations: { 'deprecated.daemonset.template.generation': '-7' } },
    },
    'a generation that is no number': {
      metadata: { annotations: { 'deprecated.daemonset.template.generation': 'x' } },
    },
  },
  updates: {
    ...templateUpdates,
    'a generation of the template': {
      metadata: { annotations: { 'deprecated.daemonset.template.generation': '7' } },
    },
    'no annotations': { metadata: { annotations: null } },
    'on delete': spec({ updateStrategy: { type: 'OnDelete' } }),
  },
  statuses: {
    'all right': status({ currentNumberScheduled: 1, numberReady: 1, desiredNumberScheduled: 2 }),
    'negative numbers': status({
      currentNumberScheduled: -1,
      numberMisscheduled: -1,
      desiredNumberScheduled: -1,
      numberReady: -1,
      observedGeneration: -1,
      updatedNumberScheduled: -1,
      numberAvailable: -1,
      numberUnavailable: -1,
      collisionCount: -1,
    }),
    'other labels and annotations': { metadata: { labels: { a: 'b' }, annotations: { a: 'b' } } },
  },
};

const controllerRevisions: WorkloadKind = {
  path: '/apis/apps/v1/namespaces/default/controllerrevisions',
  base: { revision: 1, data: { a: { b: [1, 'x'] } } },
  creations: {
    'no data': { data: null },
    'a list': { data: [1] },
    'a text': { data: 'text' },
    'a number': { data: 5 },
    'empty data': { data: { a: null } },
    'no revision': { revision: null },
    'a negative revision': { revision: -1 },
  },
  updates: {
    nothing: {},
    'another revision': { revision: 2 },
    'a negative revision': { revision: -1 },
    'other data': { data: { a: 'c' } },
    'no data': { data: null },
    labels: { metadata: { labels: { a: 'b' } } },
  },
};

const indexed = { completionMode: 'Indexed', completions: 5 };
const failing = (...rules: unknown[]) => spec({ podFailurePolicy: { rules } });
const onCodes = (fields: object) =>
  failing({ action: 'FailJob', onExitCodes: { operator: 'In', values: [1], ...fields } });
const succeeding = (...rules: unknown[]) => spec({ ...indexed, successPolicy: { rules } });

/** What both Jobs and the templates of CronJobs refuse. */
const ofJobs: Changes = {
  'no template': spec({ template: null }),
  'pods that never end': inTemplate({ restartPolicy: 'Always' }),
  'pods that do not say': inTemplate({ restartPolicy: null }),
  'pods in another way': inTemplate({ restartPolicy: 'Sometimes' }),
  'pods that try again': inTemplate({ restartPolicy: 'OnFailure' }),
  'negative numbers': spec({
    parallelism: -1,
    completions: -1,
    activeDeadlineSeconds: -1,
    backoffLimit: -1,
    ttlSecondsAfterFinished: -1,
  }),
  'several at once': spec({ parallelism: 3 }),
  'several in all': spec({ completions: 3 }),
  'with indexes': spec(indexed),
  'with indexes for ever': spec({ completionMode: 'Indexed', parallelism: 1 }),
  'another mode': spec({ completionMode: 'Random' }),
  'very many indexes': spec({ completionMode: 'Indexed', completions: 100_001, parallelism: 100_001 }),
  'many indexes at once': spec({ completionMode: 'Indexed', completions: 100_001, parallelism: 10_001 }),
  'very many with limits': spec({
    completionMode: 'Indexed',
    completions: 100_001,
    parallelism: 10_001,
    backoffLimitPerIndex: 1,
  }),
  'very many failures': spec({
    completionMode: 'Indexed',
    completions: 100_001,
    maxFailedIndexes: 100_002,
    backoffLimitPerIndex: 1,
  }),
  'limits of indexes': spec({ ...indexed, backoffLimitPerIndex: 1, maxFailedIndexes: 3 }),
  'limits without indexes': spec({ backoffLimitPerIndex: 1, maxFailedIndexes: 3 }),
  'failures without a limit': spec({ ...indexed, maxFailedIndexes: 3 }),
  'negative limits': spec({ ...indexed, maxFailedIndexes: -1, backoffLimitPerIndex: -1 }),
  'more failures than indexes': spec({ ...indexed, maxFailedIndexes: 6, backoffLimitPerIndex: 1 }),
  'another manager': spec({ managedBy: 'example.com/me' }),
  'a manager without domain': spec({ managedBy: 'me' }),
  'a manager without name': spec({ managedBy: '' }),
  'a bad manager': spec({ managedBy: 'a_b/c d' }),
  'a long manager': spec({ managedBy: `example.com/${'a'.repeat(60)}` }),
  'replacement of the failed': spec({ podReplacementPolicy: 'Failed' }),
  'another replacement': spec({ podReplacementPolicy: 'x' }),
  'replacement before they failed': spec({
    podReplacementPolicy: 'TerminatingOrFailed',
    podFailurePolicy: { rules: [{ action: 'Count', onExitCodes: { operator: 'In', values: [1] } }] },
  }),
  'a policy of nothing': spec({ podFailurePolicy: {} }),
  'a rule of nothing': failing({}),
  'a rule of both': failing({
    action: 'FailJob',
    onExitCodes: { operator: 'In', values: [1] },
    onPodConditions: [{ type: 'Ready' }],
  }),
  'a rule without an action': failing({ onExitCodes: { operator: 'In', values: [1] } }),
  'a rule with another action': failing({ action: 'Cry', onExitCodes: { operator: 'In', values: [1] } }),
  'an index fails without limits': failing({
    action: 'FailIndex',
    onExitCodes: { operator: 'In', values: [1] },
  }),
  'codes without an operator': onCodes({ operator: '' }),
  'codes with another operator': onCodes({ operator: 'x' }),
  'codes without values': onCodes({ values: null }),
  'a code that is no failure': onCodes({ values: [0] }),
  'codes twice': onCodes({ values: [1, 1, 2] }),
  'codes out of order': onCodes({ values: [3, 1, 2] }),
  'codes but some': onCodes({ operator: 'NotIn', values: [0, 3] }),
  'codes of a container': onCodes({ containerName: 'c' }),
  'codes of another container': onCodes({ containerName: 'x' }),
  'a condition of another status': failing({
    action: 'Count',
    onPodConditions: [{ type: 'a b', status: 'x' }],
  }),
  'a condition': failing({ action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget' }] }),
  'a policy of pods that try again': spec({
    podFailurePolicy: { rules: [{ action: 'Count', onPodConditions: [{ type: 'Ready' }] }] },
    template: { spec: { restartPolicy: 'OnFailure' } },
  }),
  'many rules': failing(
    ...Array.from({ length: 21 }, () => ({ action: 'Count', onPodConditions: [{ type: 'Ready' }] })),
  ),
  'success without indexes': spec({ successPolicy: { rules: [{ succeededCount: 1 }] } }),
  'success by nothing': spec({ ...indexed, successPolicy: {} }),
  'success by an empty rule': succeeding({}),
  'success by a count': succeeding({ succeededCount: 2 }),
  'success by too many': succeeding({ succeededCount: 6 }),
  'success by fewer than none': succeeding({ succeededCount: -1 }),
  'success by indexes': succeeding({ succeededIndexes: '0,2-4' }),
  'success by more than the indexes': succeeding({ succeededIndexes: '0-1', succeededCount: 3 }),
  'success by large indexes': succeeding({ succeededIndexes: '5' }, { succeededIndexes: '1-7' }),
  'success by bad indexes': succeeding(
    { succeededIndexes: 'x' },
    { succeededIndexes: '1-2-3' },
    { succeededIndexes: '3-1' },
    { succeededIndexes: '2,1,x' },
    { succeededIndexes: '1,,2' },
    { succeededIndexes: '1-x' },
    { succeededIndexes: ' 1' },
  ),
};

const running = { startTime: '2026-01-01T00:00:00Z', active: 1 };
const condition = (type: string, value = 'True') => ({ type, status: value });
const ended = (type: string, ...others: string[]) => ({
  startTime: '2026-01-01T00:00:00Z',
  ...(type === 'Complete' && { completionTime: '2026-01-01T01:00:00Z' }),
  conditions: [...others, type].map((name) => condition(name)),
});

const jobStatuses: Changes = {
  running: status(running),
  'negative numbers': status({ active: -1, succeeded: -1, failed: -1, ready: -1, terminating: -1 }),
  'more ready than active': status({ ready: 1 }),
  uncounted: status({ uncountedTerminatedPods: { succeeded: ['a', 'a', ''], failed: ['a', 'b'] } }),
  complete: status(ended('Complete', 'SuccessCriteriaMet')),
  'complete without criteria': status(ended('Complete')),
  'complete without a time': status({ ...ended('Complete', 'SuccessCriteriaMet'), completionTime: null }),
  'complete before it began': status({
    ...ended('Complete', 'SuccessCriteriaMet'),
    completionTime: '2025-01-01T00:00:00Z',
  }),
  'complete without a beginning': status({ ...ended('Complete', 'SuccessCriteriaMet'), startTime: null }),
  'complete with pods': status({
    ...ended('Complete', 'SuccessCriteriaMet'),
    active: 1,
    terminating: 1,
    uncountedTerminatedPods: { succeeded: ['a'] },
  }),
  'completed but not complete': status({ completionTime: '2026-01-01T00:00:00Z' }),
  failed: status(ended('Failed', 'FailureTarget')),
  'failed without a target': status(ended('Failed')),
  'complete and failed': status(ended('Complete', 'SuccessCriteriaMet', 'Failed', 'FailureTarget')),
  'indexes of a job without': status({ completedIndexes: '0', failedIndexes: '0' }),
  'another spec': { spec: { parallelism: 5 }, status: running },
  'other labels': { metadata: { labels: { a: 'b' } } },
};

const jobs: WorkloadKind = {
  path: '/apis/batch/v1/namespaces/default/jobs',
  base: spec({ template: jobTemplate }),
  creations: {
    ...ofJobs,
    'no spec': { spec: null },
    'a selector that is generated': spec({ selector }),
    'a selector by hand': spec({ manualSelector: true, selector }),
    'no selector by hand': spec({ manualSelector: true }),
    'another selector by hand': spec({ manualSelector: true, selector: { matchLabels: { app: 'b' } } }),
    'an empty selector by hand': spec({ manualSelector: true, selector: {} }),
    'a bad selector by hand': spec({ manualSelector: true, selector: { matchLabels: { 'a b': '-' } } }),
    'a label of the generator': spec({ template: { metadata: { labels: { 'job-name': 'x' } } } }),
    'labels of its own': { metadata: { labels: { own: 'label' } } },
    'no labels of pods': spec({ template: { metadata: null } }),
    'a name with dots': { metadata: { name: 'a.b' } },
    'a name with dots and indexes': { metadata: { name: 'a.b' }, spec: indexed },
    'a long name and indexes': { metadata: { name: 'a'.repeat(62) }, spec: indexed },
    suspended: spec({ suspend: true }),
  },
  updates: {
    nothing: {},
    'more at once': spec({ parallelism: 3 }),
    'more in all': spec({ completions: 3 }),
    'more failures': spec({ backoffLimit: 3, activeDeadlineSeconds: 5, ttlSecondsAfterFinished: 5 }),
    suspended: spec({ suspend: true }),
    'another image': inTemplate({ containers: [{ name: 'c', image: 'j' }] }),
    'labels of pods': spec({ template: { metadata: { labels: { more: 'x' } } } }),
    'another node': inTemplate({ nodeSelector: { a: 'b' } }),
    'another selector': spec({ selector: { matchLabels: { app: 'a' } } }),
    'no selector': spec({ selector: null }),
    mode: spec(indexed),
    'a policy': failing({ action: 'Count', onPodConditions: [{ type: 'Ready' }] }),
    'a success policy': succeeding({ succeededCount: 1 }),
    manager: spec({ managedBy: 'example.com/me' }),
    'limits of indexes': spec({ backoffLimitPerIndex: 1 }),
    'pods that try again': inTemplate({ restartPolicy: 'OnFailure' }),
    'negative numbers': spec({ parallelism: -1 }),
    status: status({ active: 5 }),
  },
  statuses: jobStatuses,
};

const suspendedJobs: WorkloadKind = {
  path: jobs.path,
  base: spec({ suspend: true, template: jobTemplate }),
  creations: {},
  updates: {
    'another node': inTemplate({ nodeSelector: { a: 'b' }, tolerations: [{ operator: 'Exists' }] }),
    'labels of pods': spec({ template: { metadata: { labels: { more: 'x' }, annotations: { a: 'b' } } } }),
    'node affinity': inTemplate({
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'Exists' }] }],
          },
        },
      },
    }),
    'pod affinity': inTemplate({
      affinity: {
        podAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'a', labelSelector: selector }],
        },
      },
    }),
    resources: inTemplate({
      containers: [{ name: 'c', image: 'i', resources: { requests: { cpu: '1' } } }],
    }),
    'another image': inTemplate({ containers: [{ name: 'c', image: 'j' }] }),
    resumed: spec({ suspend: false }),
    'resumed elsewhere': spec({ suspend: false, template: { spec: { nodeSelector: { a: 'b' } } } }),
  },
};

const startedJobs: WorkloadKind = {
  ...suspendedJobs,
  before: { status: running },
};

const indexedJobs: WorkloadKind = {
  path: jobs.path,
  base: spec({
    ...indexed,
    parallelism: 5,
    backoffLimitPerIndex: 1,
    podFailurePolicy: { rules: [{ action: 'FailIndex', onExitCodes: { operator: 'In', values: [3] } }] },
    successPolicy: { rules: [{ succeededIndexes: '0-1', succeededCount: 1 }] },
    template: jobTemplate,
  }),
  before: { status: { ...running, succeeded: 2, failed: 2, completedIndexes: '0' } },
  creations: {},
  updates: {
    'more of both': spec({ completions: 7, parallelism: 7 }),
    'more of one': spec({ completions: 7 }),
    'another policy': failing({ action: 'FailJob', onExitCodes: { operator: 'In', values: [3] } }),
    'no policy': spec({ podFailurePolicy: null }),
    'another success policy': spec({ successPolicy: { rules: [{ succeededCount: 2 }] } }),
    'no success policy': spec({ successPolicy: null }),
    'another limit': spec({ backoffLimitPerIndex: 2 }),
    'another mode': spec({ completionMode: 'NonIndexed' }),
  },
  statuses: {
    'fewer have succeeded': status({ succeeded: 1 }),
    'fewer have failed': status({ failed: 1 }),
    'other indexes': status({ completedIndexes: '0,2-3', failedIndexes: '1,4' }),
    'indexes in both': status({ completedIndexes: '0-2', failedIndexes: '1-3' }),
    'bad indexes': status({ completedIndexes: '2,1', failedIndexes: 'x,1' }),
    'large indexes': status({ completedIndexes: '0-5' }),
    'another beginning': status({ startTime: '2026-01-02T00:00:00Z' }),
    'no beginning': status({ startTime: null }),
    complete: status({ ...ended('Complete', 'SuccessCriteriaMet'), active: 0 }),
    'complete with pods': status(ended('Complete', 'SuccessCriteriaMet')),
    'complete without criteria': status({ ...ended('Complete'), active: 0 }),
    'criteria met and failed': status({
      conditions: ['SuccessCriteriaMet', 'FailureTarget'].map((t) => condition(t)),
    }),
  },
};

const finishedJobs: WorkloadKind = {
  path: jobs.path,
  base: spec({ template: jobTemplate }),
  before: { status: ended('Complete', 'SuccessCriteriaMet') },
  creations: {},
  updates: { 'more at once': spec({ parallelism: 3 }) },
  statuses: {
    'no conditions': status({ conditions: null }),
    'another end': status({ completionTime: '2026-01-02T00:00:00Z' }),
    'active again': status({ active: 1 }),
    'failed as well': status({
      conditions: ['Complete', 'SuccessCriteriaMet', 'Failed', 'FailureTarget'].map((type) =>
        condition(type),
      ),
    }),
    'no beginning': status({ startTime: null }),
    'criteria no more': status({ conditions: [condition('Complete')] }),
  },
};

const schedule = (text: string, more: object = {}) => spec({ schedule: text, ...more });
const schedules = [
  '@daily',
  '@every 5m',
  '@every x',
  '@every 5',
  '@every 1y',
  '@every',
  '@often',
  '* * * *',
  '* * * * * *',
  ' 0  0 * * * ',
  '60 * * * *',
  '* 24 * * *',
  '* * 0 * *',
  '* * 32 * *',
  '* * * 13 *',
  '* * * * 7',
  '* * * JAN-dec MON',
  '* * * foo *',
  '*/5 * * * *',
  '*/0 * * * *',
  '*/x * * * *',
  '*/5/5 * * * *',
  '5/15 * * * *',
  '5-3 * * * *',
  '1-2-3 * * * *',
  '-1 * * * *',
  '1,2,x * * * *',
  ', * * * *',
  '99999999999999999999 * * * *',
  '+5 * * * *',
  '? ? ? ? ?',
  '*-5 * * * *',
  'mon * * * *',
  'TZ=UTC 0 0 * * *',
  'CRON_TZ=Europe/Berlin 0 0 * * *',
  'TZ=Nowhere 0 0 * * *',
  'TZ=UTC',
  'TZ=UTC 0 0',
  '0 0 * * TZ',
  'x',
  '   ',
];
const zones = [
  'UTC',
  'Europe/Berlin',
  'europe/berlin',
  'Europe/Nowhere',
  'Local',
  'local',
  '',
  'EST5EDT',
  'Etc/GMT+5',
  'America/Argentina/Buenos_Aires',
  'Asia/Calcutta',
  '../etc/passwd',
  'Europe//Berlin',
  'Europe/',
  'a b',
  'VeryLongNameOfAZone/x',
  '+01:00',
  'GMT',
  'US/Pacific',
];

const cronJobs: WorkloadKind = {
  path: '/apis/batch/v1/namespaces/default/cronjobs',
  base: spec({ schedule: '0 0 * * *', jobTemplate: spec({ template: jobTemplate }) }),
  creations: {
    'no spec': { spec: null },
    'no schedule': spec({ schedule: null }),
    'no job': spec({ jobTemplate: null }),
    'no job to do': spec({ jobTemplate: { spec: null } }),
    'another concurrency': spec({ concurrencyPolicy: 'Maybe' }),
    'forbidden concurrency': spec({ concurrencyPolicy: 'Forbid' }),
    'negative numbers': spec({
      startingDeadlineSeconds: -1,
      successfulJobsHistoryLimit: -1,
      failedJobsHistoryLimit: -1,
    }),
    'no numbers': spec({
      startingDeadlineSeconds: 0,
      successfulJobsHistoryLimit: 0,
      failedJobsHistoryLimit: 0,
    }),
    'a selector': spec({ jobTemplate: { spec: { selector } } }),
    'a selector by hand': spec({ jobTemplate: { spec: { manualSelector: true } } }),
    'no selector by hand': spec({ jobTemplate: { spec: { manualSelector: false } } }),
    'a name of 52 characters': { metadata: { name: 'a'.repeat(52) } },
    'a name of 53 characters': { metadata: { name: 'a'.repeat(53) } },
    'a name with dots': { metadata: { name: 'a.b' } },
    ...Object.fromEntries(
      Object.entries(ofJobs).map(([title, change]) => [`a job: ${title}`, spec({ jobTemplate: change })]),
    ),
    ...Object.fromEntries(schedules.map((text) => [`schedule ${text}`, schedule(text)])),
    ...Object.fromEntries(zones.map((zone) => [`zone ${zone}`, spec({ timeZone: zone })])),
  },
  updates: {
    nothing: {},
    schedule: schedule('5 * * * *'),
    'a bad schedule': schedule('x'),
    'a zone in the schedule': schedule('TZ=UTC 0 0 * * *'),
    zone: spec({ timeZone: 'UTC' }),
    'a bad zone': spec({ timeZone: 'x y' }),
    suspended: spec({ suspend: true }),
    'another image': spec({
      jobTemplate: { spec: { template: { spec: { containers: [{ name: 'c', image: 'j' }] } } } },
    }),
    annotations: { metadata: { annotations: { a: 'b' } } },
    status: status({ active: [{ name: 'x' }] }),
  },
  statuses: {
    active: status({ active: [{ kind: 'Job', name: 'x' }], lastScheduleTime: '2026-01-01T00:00:00Z' }),
  },
};

const metric = (...metrics: unknown[]) => spec({ metrics });
const cpu = (target: unknown) => metric({ type: 'Resource', resource: { name: 'cpu', target } });
const half = { type: 'Utilization', averageUtilization: 50 };
const one = { type: 'AverageValue', averageValue: '1' };
const up = (scaleUp: unknown) => spec({ behavior: { scaleUp } });

const autoscalers: WorkloadKind = {
  path: '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers',
  base: spec({ scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }, maxReplicas: 5 }),
  creations: {
    'no spec': { spec: null },
    'no most': spec({ maxReplicas: null }),
    'none at most': spec({ maxReplicas: 0 }),
    'fewer than none at most': spec({ maxReplicas: -1 }),
    'none at least': spec({ minReplicas: 0 }),
    'fewer than none at least': spec({ minReplicas: -1 }),
    'more at least': spec({ minReplicas: 6 }),
    'no target': spec({ scaleTargetRef: null }),
    'a target without group': spec({ scaleTargetRef: { apiVersion: 'v1' } }),
    'a target without version': spec({ scaleTargetRef: { apiVersion: null } }),
    'a controller without version': spec({
      scaleTargetRef: { apiVersion: null, kind: 'ReplicationController' },
    }),
    'a bad version': spec({ scaleTargetRef: { apiVersion: 'a/b/c' } }),
    'a version without group': spec({ scaleTargetRef: { apiVersion: '/v1' } }),
    'a path as name': spec({ scaleTargetRef: { kind: 'a/b', name: '..' } }),
    'no metrics': metric(),
    'an empty metric': metric({}),
    'another metric': metric({ type: 'Mood' }),
    'a metric without source': metric({ type: 'Resource' }),
    'a metric with another source': metric({ type: 'Pods', resource: { name: 'cpu', target: half } }),
    'a metric with two sources': metric({
      type: 'Resource',
      resource: { name: 'cpu', target: half },
      pods: { metric: { name: 'x' }, target: one },
    }),
    'an unknown metric with a source': metric({ type: 'x', resource: { name: 'cpu', target: half } }),
    utilization: cpu(half),
    'an empty target': cpu({}),
    'a target of another type': cpu({ type: 'x', averageUtilization: 5 }),
    'no utilization': cpu({ type: 'Utilization', averageUtilization: 0 }),
    'both targets': cpu({ type: 'Utilization', averageUtilization: 5, averageValue: '1' }),
    'a value alone': cpu({ type: 'Value', value: '1' }),
    'values of nothing': cpu({ type: 'Value', value: '-1', averageValue: '0' }),
    'no name of a resource': metric({ type: 'Resource', resource: { target: half } }),
    pods: metric({ type: 'Pods', pods: { metric: { name: 'x' }, target: one } }),
    'pods without metric': metric({ type: 'Pods', pods: { target: one } }),
    'pods with a path': metric({ type: 'Pods', pods: { metric: { name: 'a/b' }, target: one } }),
    'pods without value': metric({ type: 'Pods', pods: { metric: { name: 'x' }, target: half } }),
    external: metric({ type: 'External', external: { metric: { name: 'x', selector }, target: one } }),
    'external without value': metric({ type: 'External', external: { metric: { name: 'x' }, target: half } }),
    'external with both': metric({
      type: 'External',
      external: { metric: { name: 'x' }, target: { ...one, value: '1' } },
    }),
    'an object': metric({
      type: 'Object',
      object: { describedObject: { kind: 'Service', name: 'x' }, metric: { name: 'x' }, target: one },
    }),
    'an empty object': metric({ type: 'Object', object: {} }),
    'an object of a bad version': metric({
      type: 'Object',
      object: {
        describedObject: { apiVersion: 'a/b/c', kind: 'Service', name: 'x' },
        metric: { name: 'x' },
        target: half,
      },
    }),
    'a container': metric({
      type: 'ContainerResource',
      containerResource: { name: 'memory', container: 'c', target: half },
    }),
    'an empty container': metric({ type: 'ContainerResource', containerResource: {} }),
    'a bad container': metric({
      type: 'ContainerResource',
      containerResource: { name: 'mood', container: 'C_d', target: { ...half, averageValue: '1' } },
    }),
    'nothing at least, with an object': spec({
      minReplicas: 0,
      metrics: [{ type: 'External', external: { metric: { name: 'x' }, target: one } }],
    }),
    'behavior of nothing': spec({ behavior: {} }),
    'one rule up': up({ policies: [{ type: 'Pods', value: 1, periodSeconds: 5 }] }),
    'one rule down': spec({ behavior: { scaleDown: { selectPolicy: 'Disabled', tolerance: '0.5' } } }),
    'bad rules': up({
      stabilizationWindowSeconds: -1,
      selectPolicy: 'x',
      tolerance: '-1',
      policies: [
        {},
        { type: 'Pods', value: -1, periodSeconds: 1801 },
        { type: 'x', value: 1, periodSeconds: 1 },
      ],
    }),
    'a long window': up({ stabilizationWindowSeconds: 3601 }),
  },
  updates: {
    nothing: {},
    more: spec({ maxReplicas: 7 }),
    'another name': spec({ scaleTargetRef: { name: 'other' } }),
    'another target': spec({ scaleTargetRef: { kind: 'StatefulSet', apiVersion: 'v1' } }),
    'none at least': spec({ minReplicas: 0 }),
    'no most': spec({ maxReplicas: null }),
    status: status({ currentReplicas: 5 }),
  },
  statuses: {
    'all right': status({ currentReplicas: 1, desiredReplicas: 2 }),
    'negative numbers': status({ currentReplicas: -1, desiredReplicas: -2 }),
  },
};

const budgets: WorkloadKind = {
  path: '/apis/policy/v1/namespaces/default/poddisruptionbudgets',
  base: spec({ selector }),
  creations: {
    'no spec': { spec: null },
    both: spec({ minAvailable: 1, maxUnavailable: '50%', unhealthyPodEvictionPolicy: 'AlwaysAllow' }),
    'a number': spec({ minAvailable: 1 }),
    none: spec({ maxUnavailable: 0 }),
    'negative numbers': spec({ minAvailable: -1 }),
    'negative unavailable': spec({ maxUnavailable: -1 }),
    'a percentage': spec({ minAvailable: '50%' }),
    'all of them': spec({ maxUnavailable: '100%' }),
    'more than all': spec({ maxUnavailable: '101%' }),
    'no percentage': spec({ minAvailable: 'x' }),
    'a number in quotes': spec({ minAvailable: '5' }),
    'no selector': spec({ selector: null }),
    'an empty selector': spec({ selector: { matchLabels: null } }),
    'a bad selector': spec({ selector: { matchLabels: { 'a b': '-' } } }),
    'an unknown operator': spec({ selector: { matchExpressions: [{ key: 'a', operator: 'x' }] } }),
    'another policy': spec({ unhealthyPodEvictionPolicy: 'x' }),
    'if healthy': spec({ unhealthyPodEvictionPolicy: 'IfHealthyBudget' }),
  },
  updates: {
    nothing: {},
    'a number': spec({ minAvailable: 2 }),
    'another selector': spec({ selector: { matchLabels: { app: 'b' } } }),
    both: spec({ minAvailable: 1, maxUnavailable: 1 }),
    status: status({ currentHealthy: 5 }),
  },
  statuses: {
    'all right': status({ currentHealthy: 1, desiredHealthy: 1, expectedPods: 1, disruptionsAllowed: 0 }),
    'negative numbers': status({
      currentHealthy: -1,
      desiredHealthy: -1,
      expectedPods: -1,
      disruptionsAllowed: -1,
    }),
    'bad conditions': status({
      conditions: [
        { type: 'a b', status: 'x', reason: '-', message: '', observedGeneration: -1 },
        { type: 'a', status: 'True', reason: '', lastTransitionTime: '2026-01-01T00:00:00Z', message: '' },
        { type: 'a', status: 'True', reason: 'R', lastTransitionTime: '2026-01-01T00:00:00Z', message: '' },
      ],
    }),
  },
};

/** All cases, by the name of the recorded file. */
export const workloadKinds: Readonly<Record<string, WorkloadKind>> = {
  deployments,
  replicaSets,
  replicationControllers,
  statefulSets,
  daemonSets,
  controllerRevisions,
  jobs,
  suspendedJobs,
  startedJobs,
  indexedJobs,
  finishedJobs,
  cronJobs,
  autoscalers,
  budgets,
};
