import type { PodCondition } from 'ots-kubernetes/core/v1';
import { setCondition } from 'ots-runtime';
import type { CachedPod } from './pod-state.ts';

/** Why the control plane ends a pod. */
export interface Disruption {
  readonly reason: string;
  readonly message: string;
}

/** Whether a pod has the condition DisruptionTarget for this reason. */
export function isDisrupted({ status }: CachedPod, { reason, message }: Disruption): boolean {
  const known = status?.conditions?.find(({ type }) => type === 'DisruptionTarget');
  return known?.status === 'True' && known.reason === reason && known.message === message;
}

/**
 * The conditions of a pod with DisruptionTarget, all of them: a strategic merge patch keeps their order.
 *
 * @param now in milliseconds since 1970
 */
export function withDisruption(
  { metadata, status }: CachedPod,
  disruption: Disruption,
  now: number,
): PodCondition[] {
  const condition = {
    type: 'DisruptionTarget',
    status: 'True' as const,
    ...disruption,
    observedGeneration: metadata.generation,
  };
  return setCondition(status?.conditions as PodCondition[] | undefined, condition, new Date(now));
}
