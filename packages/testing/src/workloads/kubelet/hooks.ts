import { sleep } from 'ots-apimachinery/clock/sleep';
import type { LifecycleHandler } from 'ots-kubernetes/core/v1';
import type { DeepReadonly } from 'ots-runtime';
import type { ContainerRun } from './container-run.ts';
import { inTime } from './in-time.ts';
import { questionOf } from './prober.ts';
import type { RunningPod } from './running-pod.ts';

export type LifecycleHook = DeepReadonly<LifecycleHandler>;

/**
 * Runs a hook of a container that runs: a command or request that its application answers, or a pause.
 *
 * @returns whether it succeeded
 */
export async function runHook(hook: LifecycleHook, run: ContainerRun, pod: RunningPod): Promise<boolean> {
  const { clock, signal } = pod.kubelet;
  if (hook.sleep) {
    await sleep(clock, hook.sleep.seconds * 1000, signal);
    return true;
  }
  const answer = run.application!.runHook(questionOf(hook, run.spec, pod.address ?? ''));
  return (await inTime(answer, undefined, pod.kubelet, () => undefined)) === undefined;
}
