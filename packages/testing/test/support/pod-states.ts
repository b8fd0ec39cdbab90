/** The states that a test writes into pods, as a kubelet would. Times are in the past, so no backoff is left of them. */
const longAgo = '2025-01-01T00:00:00Z';

const container = { name: 'main', image: 'app', imageID: '', ready: false, restartCount: 0 };

/** A pod that runs, and whether it is ready. */
export const running = (ready = true, restartCount = 0): object => ({
  phase: 'Running',
  conditions: [{ type: 'Ready', status: ready ? 'True' : 'False', lastTransitionTime: longAgo }],
  containerStatuses: [{ ...container, ready, restartCount, state: { running: { startedAt: longAgo } } }],
});

/** A pod whose containers exited with 0. */
export const succeeded = (finishedAt = longAgo): object => ({
  phase: 'Succeeded',
  conditions: [{ type: 'Ready', status: 'False', lastTransitionTime: finishedAt }],
  containerStatuses: [
    { ...container, state: { terminated: { exitCode: 0, startedAt: longAgo, finishedAt } } },
  ],
});

/** A pod whose container exited with an error. */
export const failed = ({
  exitCode = 1,
  finishedAt = longAgo,
  conditions = [],
}: {
  exitCode?: number;
  finishedAt?: string;
  conditions?: readonly object[];
} = {}): object => ({
  phase: 'Failed',
  conditions: [{ type: 'Ready', status: 'False', lastTransitionTime: finishedAt }, ...conditions],
  containerStatuses: [{ ...container, state: { terminated: { exitCode, startedAt: longAgo, finishedAt } } }],
});
