import type { DevState } from '../model/dev-state.ts';

/**
 * What is known of a session before it starts.
 *
 * @param kubeconfig where that of the administrator is, or will be
 * @param isEmbedded whether this process runs the cluster
 */
export function initialState(project: string, kubeconfig: string, isEmbedded: boolean): DevState {
  return {
    project,
    cluster: { url: '', kubeconfig, isEmbedded, ahead: 0, snapshots: [] },
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
