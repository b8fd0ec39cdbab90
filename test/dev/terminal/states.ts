import { ManualClock } from '../../../packages/apiserver/test/support/manual-clock.ts';
import type {
  DevState,
  EventState,
  LogState,
  ObjectState,
  ReconcileState,
} from '../../../src/dev/model/dev-state.ts';

/** The time of day at which the states were recorded, in any time zone. */
export const recordedAt = new Date(2026, 0, 1, 21, 34, 20);

/** A clock that stands still at that time until a test moves it. */
export class RecordedClock extends ManualClock {
  override epoch(): number {
    return recordedAt.getTime() + this.now();
  }
}

/** An ISO time some seconds before the states were recorded. */
export function ago(seconds: number): string {
  return new Date(recordedAt.getTime() - seconds * 1000).toISOString();
}

export function devState(parts: Partial<DevState> = {}): DevState {
  return {
    project: 'memcached-operator',
    cluster: {
      url: 'http://127.0.0.1:40123',
      kubeconfig: '/tmp/ots-dev/kubeconfig',
      isEmbedded: true,
      ahead: 0,
      snapshots: [],
    },
    operator: {
      phase: 'running',
      starts: 1,
      user: 'system:serviceaccount:memcached-operator-system:controller-manager',
      pid: 4242,
      isPaused: false,
      pausedObjects: [],
    },
    objects: {},
    reconciles: [],
    queues: [],
    requests: [],
    rights: { granted: [], missing: [] },
    events: [],
    logs: [],
    problems: [],
    ...parts,
  };
}

export function memcached(parts: Partial<ObjectState> = {}): ObjectState {
  return {
    uid: 'memcached-1',
    apiVersion: 'cache.example.com/v1',
    kind: 'Memcached',
    namespace: 'default',
    name: 'sample',
    createdAt: ago(90),
    isGone: false,
    resourceVersion: '10',
    owners: [],
    finalizers: [],
    columns: [
      { name: 'Size', value: '3' },
      { name: 'Ready', value: '1' },
    ],
    conditions: [
      { type: 'Available', status: 'False', reason: 'Creating', message: '1 of 3 pods are ready' },
    ],
    managers: [],
    changes: [],
    object: {},
    ...parts,
  };
}

export function reconcile(parts: Partial<ReconcileState> = {}): ReconcileState {
  return {
    id: 'a1',
    controller: 'memcached',
    namespace: 'default',
    name: 'sample',
    reasons: ['Memcached default/sample created'],
    startedAt: ago(5),
    waited: 0,
    duration: 0.034,
    requests: [
      { verb: 'get', resource: 'memcacheds', duration: 0, from: 'cache' },
      { verb: 'apply', resource: 'deployments.apps', code: 201, duration: 0.01, from: 'server' },
      {
        verb: 'apply',
        resource: 'memcacheds.cache.example.com/status',
        code: 200,
        duration: 0.01,
        from: 'server',
      },
    ],
    events: [],
    result: { outcome: 'done' },
    ...parts,
  };
}

export function warning(parts: Partial<EventState> = {}): EventState {
  return {
    name: 'default/sample-0.17a0c2e9b4d35f68',
    at: ago(3),
    type: 'Warning',
    reason: 'BackOff',
    message: 'Back-off restarting failed container memcached',
    regarding: 'pod-1',
    object: 'Pod default/sample-0',
    count: 1,
    ...parts,
  };
}

export function errorLog(parts: Partial<LogState> = {}): LogState {
  return { at: ago(2), level: 'error', message: 'reconcile failed; retrying', fields: {}, ...parts };
}

/** A session in which something of everything happens. */
export function busyState(parts: Partial<DevState> = {}): DevState {
  const owned = (kind: string, name: string, owner: string, more: Partial<ObjectState>): ObjectState =>
    memcached({ uid: name, apiVersion: 'apps/v1', kind, name, owners: [owner], conditions: [], ...more });
  const objects = [
    memcached(),
    owned('Deployment', 'sample', 'memcached-1', {
      uid: 'deployment-1',
      createdAt: ago(89),
      columns: [
        { name: 'Ready', value: '1/3' },
        { name: 'Up-to-date', value: '3' },
        { name: 'Available', value: '1' },
      ],
      conditions: [
        { type: 'Available', status: 'False', reason: 'MinimumReplicasUnavailable' },
        { type: 'Progressing', status: 'True' },
      ],
    }),
    owned('ReplicaSet', 'sample-5d8f', 'deployment-1', {
      createdAt: ago(88),
      columns: [
        { name: 'Desired', value: '3' },
        { name: 'Ready', value: '1' },
      ],
    }),
    ...['a', 'b', 'c'].map((id) =>
      owned('Pod', `sample-5d8f-${id}`, 'sample-5d8f', {
        apiVersion: 'v1',
        createdAt: ago(87),
        columns: [
          { name: 'Ready', value: id === 'a' ? '1/1' : '0/1' },
          { name: 'Status', value: id === 'a' ? 'Running' : id === 'b' ? 'CrashLoopBackOff' : 'Pending' },
          { name: 'Restarts', value: id === 'b' ? '4' : '0' },
        ],
        ...(id === 'b' && { conditions: [{ type: 'Ready', status: 'False' }] }),
      }),
    ),
  ];
  const error =
    'Deployment.apps "sample" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0';
  return devState({
    objects: Object.fromEntries(objects.map((object) => [object.uid, object])),
    reconciles: [
      reconcile({ id: 'a0', startedAt: ago(30) }),
      reconcile({
        id: 'a1',
        startedAt: ago(12),
        requests: [],
        reasons: ['Memcached default/sample updated: spec.size'],
        result: { outcome: 'error', error, attempt: 1, retryAfter: 0.01 },
      }),
      reconcile({
        id: 'a2',
        startedAt: ago(4),
        reasons: ['Deployment default/sample updated: status.readyReplicas'],
        result: { outcome: 'requeue', after: 30 },
      }),
    ],
    queues: [
      {
        controller: 'memcached',
        entries: [{ namespace: 'default', name: 'sample', state: 'requeue', reasons: [] }],
      },
    ],
    events: [
      warning({
        at: ago(60),
        type: 'Normal',
        reason: 'Scheduled',
        message: 'Assigned default/sample-5d8f-b to node-0',
      }),
      warning({ at: ago(3), object: 'Pod default/sample-5d8f-b', count: 4 }),
    ],
    logs: [
      errorLog({
        reconcile: 'a1',
        fields: {
          err: {
            message: error,
            stack: `Error: ${error}\n    at MemcachedReconciler.reconcile (/op/src/controllers/memcached.controller.ts:31:5)`,
          },
        },
      }),
      errorLog({ at: ago(20), message: 'metrics failed', fields: { err: { message: 'Port is in use' } } }),
    ],
    ...parts,
  });
}
