import type { HPAScalingRules } from 'ots-kubernetes/autoscaling/v2';
import type { DeepReadonly } from 'ots-runtime';
import type { CachedAutoscaler } from './evaluate-metric.ts';
import { type ScalingHistory, downscaleStabilizationMs } from './scaling-history.ts';

/** A reason and a message of a condition. */
export interface Because {
  readonly reason: string;
  readonly message: string;
}

/** How many replicas a target may have now, and why. */
export interface Limited {
  readonly replicas: number;
  /** Of the condition AbleToScale. */
  readonly able: Because;
  /** Of the condition ScalingLimited. */
  readonly limit: Because;
  readonly isLimited: boolean;
}

/** A number of replicas that metrics ask for. */
export interface Desire {
  readonly current: number;
  readonly desired: number;
  readonly min: number;
  /** In milliseconds of the clock. */
  readonly now: number;
}

const ready: Because = { reason: 'ReadyForNewScale', message: 'recommended size matches current size' };
const upStabilized: Because = {
  reason: 'ScaleUpStabilized',
  message: 'recent recommendations were lower than current one, applying the lowest recent recommendation',
};
const downStabilized: Because = {
  reason: 'ScaleDownStabilized',
  message: 'recent recommendations were higher than current one, applying the highest recent recommendation',
};
const inRange: Because = {
  reason: 'DesiredWithinRange',
  message: 'the desired count is within the acceptable range',
};
const tooFew: Because = {
  reason: 'TooFewReplicas',
  message: 'the desired replica count is less than the minimum replica count',
};
const tooMany: Because = {
  reason: 'TooManyReplicas',
  message: 'the desired replica count is more than the maximum replica count',
};
const tooFastUp: Because = {
  reason: 'ScaleUpLimit',
  message: 'the desired replica count is increasing faster than the maximum scale rate',
};
const tooFastDown: Because = {
  reason: 'ScaleDownLimit',
  message: 'the desired replica count is decreasing faster than the maximum scale rate',
};

/** Applies the stabilization, the scaling policies and the bounds of an autoscaler to what its metrics ask for. */
export function limitReplicas({ spec }: CachedAutoscaler, desire: Desire, history: ScalingHistory): Limited {
  const { maxReplicas, behavior } = spec;
  const { current, desired, now } = desire;
  if (!behavior) {
    const stable = history.recommend(desired, now);
    const able = stable === desired ? ready : downStabilized;
    return bounded({ ...desire, desired: stable }, able, {
      max: Math.max(2 * current, 4),
      // Without behavior only the minimum limits how fast a target shrinks.
      min: 0,
      maxReplicas,
    });
  }
  const { scaleUp = {}, scaleDown = {} } = behavior;
  const windows = { up: windowOf(scaleUp, 0), down: windowOf(scaleDown, downscaleStabilizationMs) };
  const stable = history.recommendWithin(windows, desire);
  const stabilized = desired >= current ? upStabilized : downStabilized;
  return bounded({ ...desire, desired: stable }, stable === desired ? ready : stabilized, {
    max: stable > current ? Math.max(current, history.maxReplicas(current, scaleUp, now)) : Infinity,
    min: stable < current ? Math.min(current, history.minReplicas(current, scaleDown, now)) : 0,
    maxReplicas,
  });
}

function bounded(
  { desired, min: minReplicas }: Desire,
  able: Because,
  { max, min, maxReplicas }: { max: number; min: number; maxReplicas: number },
): Limited {
  const highest = Math.min(max, maxReplicas);
  const lowest = Math.max(min, minReplicas);
  if (desired < lowest)
    return { replicas: lowest, able, limit: minReplicas < min ? tooFastDown : tooFew, isLimited: true };
  if (desired > highest)
    return { replicas: highest, able, limit: maxReplicas > max ? tooFastUp : tooMany, isLimited: true };
  return { replicas: desired, able, limit: inRange, isLimited: false };
}

function windowOf({ stabilizationWindowSeconds }: DeepReadonly<HPAScalingRules>, byDefault: number): number {
  return stabilizationWindowSeconds === undefined ? byDefault : stabilizationWindowSeconds * 1000;
}
