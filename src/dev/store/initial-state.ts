import type { DevState } from '../model/dev-state.ts';

/** What is known of a session before it starts. @param kubeconfig where that of the administrator will be */
export function initialState(project: string, kubeconfig: string): DevState {
  return {
    project,
    cluster: { url: '', kubeconfig, isEmbedded: true, ahead: 0, snapshots: [] },
    operator: { phase: 'building', starts: 0, user: '', isPaused: false, pausedObjects: [] },
    objects: {},
    reconciles: [],
    queues: [],
    requests: [],
    rights: { granted: [], missing: [] },
    events: [],
    logs: [],
    problems: [],
  };
}
