import type { ContainerRun } from './container-run.ts';
import { type LifecycleHook, runHook } from './hooks.ts';
import type { ProbeState } from './probe-state.ts';
import type { RunningPod } from './running-pod.ts';

/** The kubelet gives every container so much time to end, whatever the pod says. */
const minGraceMs = 2000;

/** Asks the containers of a pod to end: sidecars after the others, the last one first. */
export function stopContainers(pod: RunningPod): void {
  const { metadata, spec } = pod.pod;
  const ownSeconds = pod.failure?.reason === 'Evicted' ? 0 : spec?.terminationGracePeriodSeconds;
  const seconds = metadata.deletionGracePeriodSeconds ?? ownSeconds ?? 30;
  for (const run of turnToStop(pod)) terminate(run, pod, seconds, `Stopping container ${run.spec.name}`);
  pod.observe();
  if (pod.isIdle) pod.hasSandbox = false;
  else if (turnToStop(pod).some((run) => run.killAt === undefined)) stopContainers(pod);
}

function turnToStop({ runs, inits }: RunningPod): readonly ContainerRun[] {
  const first = runs.filter((run) => run.isRunning && !run.isSidecar);
  return first.length > 0 ? first : inits.filter(({ isRunning }) => isRunning).slice(-1);
}

/** Stops a container whose startup or liveness probe has failed, and lets it start again unless the pod says never. */
export function killUnhealthy(run: ContainerRun, pod: RunningPod, { kind, probe }: ProbeState): void {
  const { restartPolicy, terminationGracePeriodSeconds = 30 } = pod.pod.spec ?? {};
  run.mustRestart = restartPolicy !== 'Never';
  const then = run.mustRestart ? ', will be restarted' : '';
  const why = `Container ${run.spec.name} failed ${kind.toLowerCase()} probe${then}`;
  terminate(run, pod, probe.terminationGracePeriodSeconds ?? terminationGracePeriodSeconds, why);
}

/** Stops the containers whose images have changed, and lets them start again whatever the pod says. Init containers go on. */
export function killOutdated(pod: RunningPod): void {
  for (const run of pod.runs) {
    if (!run.isOutdated || run.completes) continue;
    run.mustRestart = true;
    const why = `Container ${run.spec.name} definition changed, will be restarted`;
    terminate(run, pod, pod.pod.spec?.terminationGracePeriodSeconds ?? 30, why);
  }
}

/** Asks a container to end, and kills it later. One that was asked before may only have less time now. */
export function terminate(run: ContainerRun, pod: RunningPod, graceSeconds: number, message: string): void {
  const killAt = pod.now + Math.max(graceSeconds * 1000, minGraceMs);
  if (run.killAt !== undefined) {
    run.killAt = Math.min(run.killAt, killAt);
    return;
  }
  run.killAt = killAt;
  pod.record(run, 'Normal', 'Killing', message);
  askToEnd(run, pod);
}

/** Runs the hook of a container that ends, and asks its application. */
export function askToEnd(run: ContainerRun, pod: RunningPod): void {
  const { preStop } = run.spec.lifecycle ?? {};
  if (preStop) void terminateAfter(preStop, run, pod);
  else run.application!.terminate();
}

async function terminateAfter(preStop: LifecycleHook, run: ContainerRun, pod: RunningPod): Promise<void> {
  const application = run.application!;
  if (!(await runHook(preStop, run, pod)))
    pod.record(run, 'Warning', 'FailedPreStopHook', 'PreStopHook failed');
  application.terminate();
}

/** The pod is gone from the server: its containers end without further words. */
export function killContainers(pod: RunningPod): void {
  for (const run of pod.runs) {
    if (!run.isRunning) continue;
    pod.record(run, 'Normal', 'Killing', `Stopping container ${run.spec.name}`);
    run.end(137, pod.now);
  }
}
