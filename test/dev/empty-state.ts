import type { DevState } from '../../src/dev/model/dev-state.ts';

/** A session in which nothing happened yet. */
export const emptyState: DevState = {
  project: 'website-operator',
  cluster: {
    url: 'https://127.0.0.1:6443',
    kubeconfig: '/tmp/ots-dev/kubeconfig',
    isEmbedded: true,
    ahead: 0,
    snapshots: [],
  },
  operator: {
    phase: 'running',
    starts: 1,
    user: 'system:serviceaccount:website-operator-system:website-operator-controller-manager',
    pid: 4711,
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
};
