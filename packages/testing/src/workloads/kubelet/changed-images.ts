import type { RunningPod } from './running-pod.ts';
import { terminate } from './stop-containers.ts';

/**
 * Starts containers again whose image has changed, whatever the pod says about restarts: a client can change nothing else of a
 * container that runs.
 */
export function followImages(pod: RunningPod): void {
  const { containers = [], terminationGracePeriodSeconds = 30 } = pod.pod.spec ?? {};
  for (const run of pod.regulars) {
    const spec = containers.find(({ name }) => name === run.spec.name);
    if (!spec || spec.image === run.spec.image) continue;
    run.change(spec);
    if (!run.isRunning) continue;
    run.mustRestart = true;
    terminate(
      run,
      pod,
      terminationGracePeriodSeconds,
      `Container ${spec.name} definition changed, will be restarted`,
    );
  }
}
