import type { ContainerRun } from './container-run.ts';
import type { ProbeState } from './probe-state.ts';
import { runProbe } from './prober.ts';
import type { RunningPod } from './running-pod.ts';
import { killUnhealthy } from './stop-containers.ts';

/** Whether a probe runs now: a startup probe until it succeeds, the others from then on. */
function isProbing(run: ContainerRun, { kind }: ProbeState, isEnding: boolean): boolean {
  if (!run.isRunning || (kind === 'Startup') === run.isStarted) return false;
  return kind === 'Readiness' || (run.killAt === undefined && !isEnding);
}

/** When the probes of a container run next, in milliseconds since 1970. */
export function probeTimes(run: ContainerRun, isEnding: boolean): number[] {
  return run.probes.filter((probe) => isProbing(run, probe, isEnding)).map(({ dueAt }) => dueAt);
}

/** Runs the probes of a container that are due, one after the other. */
export async function probeContainer(run: ContainerRun, pod: RunningPod): Promise<void> {
  for (const probe of run.probes) {
    if (isProbing(run, probe, pod.isEnding) && probe.dueAt <= pod.now) await probeOnce(run, probe, pod);
  }
}

async function probeOnce(run: ContainerRun, state: ProbeState, pod: RunningPod): Promise<void> {
  const { application, spec } = run;
  const { kind, probe } = state;
  const { kubelet } = pod;
  state.dueAt = pod.now + (probe.periodSeconds ?? 10) * 1000;
  const problem = await runProbe(state, application!, { spec, podIP: pod.address ?? '', kubelet });
  // It may have ended in the meantime, or the cluster.
  if (run.application !== application || application?.exitCode !== undefined || kubelet.signal.aborted)
    return;
  if (problem !== undefined) pod.record(run, 'Warning', 'Unhealthy', `${kind} probe failed: ${problem}`);
  const verdict = state.judge(problem === undefined);
  if (verdict === undefined) return;
  if (kind === 'Readiness') run.isProbedReady = verdict;
  else if (!verdict) killUnhealthy(run, pod, state);
  else if (kind === 'Startup') run.isStarted = true;
}
