import type { PodCondition, PodStatus } from 'ots-kubernetes/core/v1';
import type { CachedPod } from '../pods/pod-state.ts';
import type { ContainerRun } from './container-run.ts';

/** What a kubelet knows of a pod. */
export interface PodView {
  readonly pod: CachedPod;
  readonly inits: readonly ContainerRun[];
  readonly regulars: readonly ContainerRun[];
  readonly hasSandbox: boolean;
  /** No container starts again. */
  readonly isEnding: boolean;
  /** Set where the kubelet itself ends the pod. */
  readonly failure: { readonly reason: string; readonly message: string } | undefined;
}

export type Phase = NonNullable<PodStatus['phase']>;

/** Whether a container starts again after it has ended. */
export function canRestart(
  { spec, isSidecar, mustRestart }: ContainerRun,
  pod: CachedPod,
  exitCode: number,
): boolean {
  if (isSidecar || mustRestart) return true;
  const policy = spec.restartPolicy ?? pod.spec?.restartPolicy ?? 'Always';
  return policy === 'Always' || (policy === 'OnFailure' && exitCode !== 0);
}

/** Whether the containers after an init container may start. */
export function isInitialized(run: ContainerRun): boolean {
  return run.isSidecar ? run.isStarted : run.state.terminated?.exitCode === 0;
}

/**
 * The phase of a pod (https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/#pod-phase). It is not Succeeded or Failed while a
 * container runs.
 */
export function phaseOf(view: PodView): Phase {
  const { pod, inits, regulars, failure, isEnding } = view;
  const before = pod.status?.phase ?? 'Pending';
  const hasEnded = [...inits, ...regulars].every(({ isRunning }) => !isRunning);
  if (before === 'Succeeded' || before === 'Failed') return before;
  const phase = failure ? 'Failed' : phaseByContainers(view);
  if (phase === 'Succeeded' || phase === 'Failed') return hasEnded ? phase : before;
  if (!isEnding || !hasEnded) return phase;
  const isComplete = regulars.every(({ lastEnd }) => lastEnd?.exitCode === 0);
  return isComplete ? 'Succeeded' : 'Failed';
}

/** The phase that the containers would have without the rest of the pod. */
export function phaseByContainers({ pod, inits, regulars }: PodView): Phase {
  const isOver = (run: ContainerRun) => run.lastEnd && !canRestart(run, pod, run.lastEnd.exitCode);
  if (inits.some((run) => isOver(run) && run.lastEnd!.exitCode !== 0)) return 'Failed';
  if (regulars.some((run) => !run.isRunning && !run.lastEnd)) return 'Pending';
  if (!regulars.every(isOver)) return 'Running';
  return regulars.every(({ lastEnd }) => lastEnd!.exitCode === 0) ? 'Succeeded' : 'Failed';
}

type Verdict = Pick<PodCondition, 'status' | 'reason' | 'message'>;

/** The conditions that a kubelet owns, in its order. @param old those that it wrote before */
export function kubeletConditions(
  view: PodView,
  phase: Phase,
  now: string,
  old: readonly Readonly<PodCondition>[],
): PodCondition[] {
  const { pod, hasSandbox, failure } = view;
  const ready = containersReady(view, phase);
  const verdicts: readonly (readonly [type: string, verdict: Verdict])[] = [
    ...(failure?.reason === 'Evicted' && phase === 'Failed' ? [disruption(failure.message)] : []),
    ['PodReadyToStartContainers', { status: hasSandbox ? 'True' : 'False' }],
    ['Initialized', initialized(view, phase)],
    ['Ready', ready.status === 'True' ? readinessGates(pod) : ready],
    ['ContainersReady', ready],
    ['PodScheduled', { status: 'True' }],
  ];
  return verdicts.map(([type, verdict]) => {
    const before = old.find((condition) => condition.type === type);
    const isSame = before?.status === verdict.status && before.lastTransitionTime !== undefined;
    return {
      type,
      ...verdict,
      lastTransitionTime: isSame ? before.lastTransitionTime : now,
      observedGeneration: pod.metadata.generation ?? 0,
    };
  });
}

function disruption(message: string): readonly [type: string, verdict: Verdict] {
  return ['DisruptionTarget', { status: 'True', reason: 'TerminationByKubelet', message }];
}

function containersReady({ inits, regulars }: PodView, phase: Phase): Verdict {
  if (phase === 'Succeeded') return { status: 'False', reason: 'PodCompleted' };
  if (phase === 'Failed') return { status: 'False', reason: 'PodFailed' };
  const counted = [...inits.filter((run) => run.isSidecar), ...regulars];
  const unready = counted.filter((run) => !run.isReady).map((run) => run.spec.name);
  if (unready.length === 0) return { status: 'True' };
  const message = `containers with unready status: [${unready.join(' ')}]`;
  return { status: 'False', reason: 'ContainersNotReady', message };
}

function readinessGates({ spec, status }: CachedPod): Verdict {
  const problems = (spec?.readinessGates ?? []).flatMap(({ conditionType }) => {
    const gate = status?.conditions?.find(({ type }) => type === conditionType);
    if (!gate) return [`corresponding condition of pod readiness gate "${conditionType}" does not exist.`];
    if (gate.status === 'True') return [];
    return [`the status of pod readiness gate "${conditionType}" is not "True", but ${gate.status}`];
  });
  if (problems.length === 0) return { status: 'True' };
  return { status: 'False', reason: 'ReadinessGatesNotReady', message: problems.join(', ') };
}

function initialized({ inits, regulars }: PodView, phase: Phase): Verdict {
  if (phase === 'Succeeded') return { status: 'True', reason: 'PodCompleted' };
  if (regulars.some((run) => run.isRunning || run.lastEnd)) return { status: 'True' };
  const incomplete = inits.filter((run) => !isInitialized(run)).map((run) => run.spec.name);
  if (incomplete.length === 0) return { status: 'True' };
  const message = `containers with incomplete status: [${incomplete.join(' ')}]`;
  return { status: 'False', reason: 'ContainersNotInitialized', message };
}
