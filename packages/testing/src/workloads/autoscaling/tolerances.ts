import type { HorizontalPodAutoscaler } from 'ots-kubernetes/autoscaling/v2';
import type { DeepReadonly } from 'ots-runtime';
import { milliOf } from './metrics-client.ts';

/** How far a metric may be from its target without a change of the number of replicas, as a share. */
export interface Tolerances {
  readonly down: number;
  readonly up: number;
}

/** As in Kubernetes. */
const defaultTolerance = 0.1;

/** The tolerances of an autoscaler. */
export function tolerancesOf({ spec }: DeepReadonly<HorizontalPodAutoscaler>): Tolerances {
  const { scaleDown, scaleUp } = spec?.behavior ?? {};
  const share = (rules: typeof scaleUp): number =>
    rules?.tolerance === undefined ? defaultTolerance : milliOf(rules.tolerance) / 1000;
  return { down: share(scaleDown), up: share(scaleUp) };
}

/** Whether a ratio of usage to target is near enough to 1. */
export function isWithin(ratio: number, { down, up }: Tolerances): boolean {
  return 1 - down <= ratio && ratio <= 1 + up;
}
