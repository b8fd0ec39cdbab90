import { probeTimes } from './pod-probes.ts';
import type { RunningPod } from './running-pod.ts';

/**
 * When there is something to do in a pod without a change from outside, in milliseconds since 1970.
 *
 * @param startTimes when its missing containers and its files are due
 */
export function nextDue(pod: RunningPod, startTimes: readonly number[]): number | undefined {
  const { runs, isEnding, deadline, now } = pod;
  const running = runs.flatMap(({ application, killAt }) => [
    application?.exitCode === undefined ? application?.nextChange : now,
    killAt,
  ]);
  const probing = runs.flatMap((run) => probeTimes(run, isEnding));
  const crashing = runs.filter(({ isRunning }) => isRunning).map((run) => pod.crashOf(run)?.at);
  const living = isEnding ? [] : [deadline, ...startTimes, pod.mustEnd ? now : undefined];
  const times = [...running, ...probing, ...crashing, ...living];
  const next = Math.min(...times.filter((time) => time !== undefined));
  return Number.isFinite(next) ? next : undefined;
}
