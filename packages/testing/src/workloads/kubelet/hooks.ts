import type { LifecycleHandler } from 'ots-kubernetes/core/v1';
import type { DeepReadonly } from 'ots-runtime';
import type { ContainerRun } from './container-run.ts';
import { questionOf } from './prober.ts';
import type { RunningPod } from './running-pod.ts';

export type LifecycleHook = DeepReadonly<LifecycleHandler>;

/**
 * Runs a hook of a container that runs: a command or request that its application answers, or a pause.
 *
 * @returns whether it succeeded
 */
export async function runHook(hook: LifecycleHook, run: ContainerRun, pod: RunningPod): Promise<boolean> {
  if (hook.sleep) {
    const { seconds } = hook.sleep;
    await new Promise<void>((resolve) => pod.kubelet.clock.setTimeout(resolve, seconds * 1000));
    return true;
  }
  return (await run.application!.runHook(questionOf(hook, run.spec, pod.address ?? ''))) === undefined;
}
