import type {
  ChangeState,
  ConditionState,
  DevState,
  ObjectState,
  MissingRightState,
  ReconcileRequestState,
  ReconcileResultState,
  ReconcileState,
  RightState,
} from '../../src/dev/model/dev-state.ts';
import { emptyState } from './empty-state.ts';

/** When the scripted session is looked at. */
export const scriptedNow = Date.parse('2026-11-23T10:00:00Z');

/** @param age in seconds */
export function ago(age: number): string {
  return new Date(scriptedNow - age * 1000).toISOString();
}

/** An object of the namespace `default`, whose uid is `<kind>/<name>` in lower case. */
export function object(
  apiVersion: string,
  kind: string,
  name: string,
  more: Partial<ObjectState> = {},
): ObjectState {
  return {
    uid: `${kind}/${name}`.toLowerCase(),
    apiVersion,
    kind,
    namespace: 'default',
    name,
    createdAt: ago(95),
    isGone: false,
    resourceVersion: '412',
    owners: [],
    finalizers: [],
    columns: [],
    conditions: [],
    managers: [],
    changes: [],
    object: { apiVersion, kind, metadata: { name, namespace: 'default' } },
    ...more,
  };
}

function condition(type: string, status: string, reason?: string, message?: string): ConditionState {
  return { type, status, ...(reason && { reason }), ...(message && { message }), changedAt: ago(40) };
}

function change(age: number, resourceVersion: string, ...fields: ChangeState['fields']): ChangeState {
  return { at: ago(age), resourceVersion, fields, more: 0 };
}

const columns = (values: Record<string, string>) =>
  Object.entries(values).map(([name, value]) => ({ name, value }));

/** A website: a Deployment with a ReplicaSet and pods, and a Service. */
function website(name: string, ready: number): ObjectState[] {
  const isReady = ready === 2;
  const owned = (kind: string) => ({ owners: [`${kind}/${name}`.toLowerCase()] });
  return [
    object('web.example.com/v1', 'Website', name, {
      finalizers: ['web.example.com/dns'],
      columns: columns({ URL: `https://${name}.example.com`, REPLICAS: String(ready) }),
      conditions: [
        isReady
          ? condition('Ready', 'True', 'Serving')
          : condition('Ready', 'False', 'IngressFailed', 'the Ingress could not be created: forbidden'),
        condition('Progressing', isReady ? 'False' : 'True', isReady ? 'Complete' : 'RollingOut'),
      ],
      managers: [
        {
          manager: 'kubectl',
          operation: 'Apply',
          fields: ['spec.image', 'spec.replicas', 'metadata.labels.team'],
        },
        {
          manager: 'website-operator',
          operation: 'Apply',
          subresource: 'status',
          fields: ['status.conditions', 'status.replicas'],
        },
      ],
      changes: [
        change(60, '398', { path: 'spec.image', before: 'shop:1.4.0', after: 'shop:1.5.0' }),
        change(
          40,
          '412',
          { path: 'status.replicas', before: 2, after: ready },
          {
            path: 'status.conditions',
            before: [{ type: 'Ready', status: 'True', reason: 'Serving' }],
            after: [{ type: 'Ready', status: 'False', reason: 'IngressFailed' }],
          },
        ),
      ],
      object: {
        apiVersion: 'web.example.com/v1',
        kind: 'Website',
        metadata: { name, namespace: 'default' },
        spec: { image: 'shop:1.5.0', replicas: 2 },
        status: { replicas: ready },
      },
    }),
    object('apps/v1', 'Deployment', name, {
      ...owned('Website'),
      columns: columns({ READY: `${ready}/2`, 'UP-TO-DATE': '2', AVAILABLE: String(ready) }),
      conditions: [condition('Available', isReady ? 'True' : 'False', 'MinimumReplicasUnavailable')],
    }),
    object('apps/v1', 'ReplicaSet', `${name}-5d8f7`, {
      owners: [`deployment/${name}`],
      columns: columns({ DESIRED: '2', CURRENT: '2', READY: String(ready) }),
    }),
    ...[0, 1].map((number) =>
      object('v1', 'Pod', `${name}-5d8f7-${number}`, {
        owners: [`replicaset/${name}-5d8f7`],
        columns: columns(
          number < ready
            ? { READY: '1/1', STATUS: 'Running', RESTARTS: '0' }
            : { READY: '0/1', STATUS: 'CrashLoopBackOff', RESTARTS: '3' },
        ),
        conditions: [condition('Ready', number < ready ? 'True' : 'False', 'ContainersNotReady')],
        createdAt: ago(88),
      }),
    ),
    object('v1', 'Service', name, {
      ...owned('Website'),
      columns: columns({ TYPE: 'ClusterIP', 'PORT(S)': '80/TCP' }),
    }),
  ];
}

const read = (resource: string, name: string): ReconcileRequestState => ({
  verb: 'get',
  resource,
  namespace: 'default',
  name,
  duration: 0.00004,
  from: 'cache',
});

const write = (verb: string, resource: string, name: string, code: number): ReconcileRequestState => ({
  verb,
  resource,
  namespace: 'default',
  name,
  code,
  duration: 0.0042,
  from: 'server',
});

/** @param age in seconds, of its start */
function reconcile(
  id: string,
  name: string,
  age: number,
  reasons: string[],
  result: ReconcileResultState,
  requests: ReconcileRequestState[] = [],
  events: string[] = [],
): ReconcileState {
  return {
    id,
    controller: 'website',
    namespace: 'default',
    name,
    reasons,
    startedAt: ago(age),
    waited: 0.0021,
    duration: 0.0186,
    requests: [read('websites', name), read('deployments', name), ...requests],
    events,
    result,
  };
}

const denied = 'ingresses.networking.k8s.io is forbidden';
const done = { outcome: 'done' } as const;
const failed = (attempt: number) =>
  ({ outcome: 'error', error: denied, attempt, retryAfter: 2 ** attempt }) as const;

/** The names of events. */
const failing = 'default/shop.17a0c2e9b4d35f68';
const serving = 'default/blog.5b1e8d7f20c4a936';

const reconciles: readonly ReconcileState[] = [
  reconcile('a1', 'blog', 95, ['Website default/blog created'], done, [
    write('apply', 'deployments', 'blog', 201),
    write('apply', 'services', 'blog', 201),
  ]),
  reconcile('a2', 'shop', 94, ['Website default/shop created'], done, [
    write('apply', 'deployments', 'shop', 201),
  ]),
  reconcile('a3', 'blog', 88, ['Deployment default/blog updated: status.replicas'], done),
  reconcile('a4', 'shop', 86, ['Deployment default/shop updated: status.readyReplicas'], done),
  reconcile(
    'a5',
    'blog',
    84,
    ['Deployment default/blog updated: status.readyReplicas'],
    done,
    [write('apply', 'websites/status', 'blog', 200)],
    [serving],
  ),
  reconcile(
    'a6',
    'shop',
    60,
    [
      'Website default/shop updated: spec.image',
      'Deployment default/shop updated: metadata.annotations.checked-at',
    ],
    failed(1),
    [write('update', 'websites/status', 'shop', 409), write('create', 'ingresses', 'shop', 403)],
    [failing],
  ),
  reconcile(
    'a7',
    'shop',
    58,
    ['again after the error of attempt 1'],
    failed(2),
    [write('create', 'ingresses', 'shop', 403)],
    [failing],
  ),
  reconcile(
    'a8',
    'shop',
    40,
    ['again after the error of attempt 2'],
    failed(3),
    [write('apply', 'websites/status', 'shop', 200), write('create', 'ingresses', 'shop', 403)],
    [failing],
  ),
  reconcile('a9', 'blog', 24, ['its requeueAfter of 1 min'], { outcome: 'requeue', after: 60 }),
];

const objects = [...website('blog', 2), ...website('shop', 1)];
const right = (resources: string, verbs: string, isUsed: boolean, groups = 'apps'): RightState => ({
  role: 'ClusterRole manager-role',
  rule: `@rbac groups=${groups} resources=${resources} verbs=${verbs}`,
  isUsed,
});

const missing: MissingRightState = {
  rule: '@rbac groups=networking.k8s.io resources=ingresses verbs=create',
  count: 3,
};

/** A session in the middle of its work: one website serves, the other one lacks a right. */
export const scriptedState: DevState = {
  ...emptyState,
  cluster: { ...emptyState.cluster, snapshots: ['before-upgrade'] },
  operator: { ...emptyState.operator, starts: 2 },
  objects: Object.fromEntries(objects.map((each) => [each.uid, each])),
  reconciles,
  queues: [
    {
      controller: 'website',
      kind: 'Website',
      entries: [
        { namespace: 'default', name: 'shop', state: 'backoff', at: ago(-8), reasons: [denied] },
        {
          namespace: 'default',
          name: 'blog',
          state: 'requeue',
          at: ago(-36),
          reasons: ['its requeueAfter of 1 min'],
        },
      ],
    },
  ],
  requests: reconciles.flatMap(({ startedAt, requests }) =>
    requests
      .filter(({ from }) => from === 'server')
      .map(({ verb, resource, namespace = '', name = '', code = 200, duration }) => ({
        at: startedAt,
        verb,
        resource,
        namespace,
        name,
        code,
        duration,
      })),
  ),
  rights: {
    granted: [
      right('deployments', 'get', true),
      right('deployments', 'patch', true),
      right('deployments', 'delete', false),
      right('services', 'patch', true, '""'),
      right('websites/status', 'patch', true, 'web.example.com'),
    ],
    missing: [missing],
  },
  events: [
    {
      name: failing,
      at: ago(40),
      type: 'Warning',
      reason: 'IngressFailed',
      message: `could not create the Ingress: ${denied}`,
      regarding: 'website/shop',
      object: 'Website default/shop',
      count: 3,
    },
    {
      name: serving,
      at: ago(84),
      type: 'Normal',
      reason: 'Serving',
      message: 'all replicas are ready',
      regarding: 'website/blog',
      object: 'Website default/blog',
      count: 1,
    },
  ],
  logs: reconciles.map(({ id, name, startedAt, result }) => ({
    at: startedAt,
    level: result?.outcome === 'error' ? 'error' : 'info',
    message: result?.outcome === 'error' ? 'reconcile failed; retrying' : 'reconciled',
    fields: {
      controller: 'website',
      name,
      ...(result?.outcome === 'error' && { err: result.error, attempt: result.attempt }),
    },
    reconcile: id,
  })),
  problems: [
    {
      source: 'rights',
      message: `The operator was denied what this rule grants:\n${missing.rule}`,
      hint: 'Add the tag to the reconciler that needs it.',
    },
  ],
};
