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
      { verb: 'apply', resource: 'deployments', code: 201, duration: 0.01, from: 'server' },
      { verb: 'apply', resource: 'memcacheds/status', code: 200, duration: 0.01, from: 'server' },
    ],
    result: { outcome: 'done' },
    ...parts,
  };
}

export function warning(parts: Partial<EventState> = {}): EventState {
  return {
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
