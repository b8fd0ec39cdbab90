import { isPodReady } from '../pods/pod-state.ts';
import type { Evaluation } from './evaluate-metric.ts';
import { isWithin, tolerancesOf } from './tolerances.ts';

const maxInt32 = 2 ** 31 - 1;

/** What a metric of the whole asks for. */
export interface TotalProposal {
  readonly replicas: number;
  /** In thousandths. */
  readonly usage: number;
}

/** How many replicas bring a metric that all pods share to its target. @param usage, target in thousandths */
export function totalReplicas(
  { usage, target }: { usage: number; target: number },
  { autoscaler, specReplicas, pods }: Evaluation,
): TotalProposal {
  const ratio = usage / target;
  if (specReplicas === 0) return { usage, replicas: Math.ceil(ratio) };
  if (isWithin(ratio, tolerancesOf(autoscaler))) return { usage, replicas: specReplicas };
  if (pods.length === 0)
    throw new Error(
      'unable to calculate ready pods: no pods returned by selector while calculating replica count',
    );
  const ready = pods.filter((pod) => pod.status?.phase === 'Running' && isPodReady(pod)).length;
  return { usage, replicas: Math.min(Math.ceil(ratio * ready), maxInt32) };
}

/** How many replicas bring the share of each pod to its target. @param usage, target in thousandths */
export function replicasPerPod(
  { usage, target }: { usage: number; target: number },
  { autoscaler, statusReplicas }: Evaluation,
): TotalProposal {
  const ratio = usage / (target * statusReplicas);
  const isEnough = isWithin(ratio, tolerancesOf(autoscaler));
  const replicas = isEnough ? statusReplicas : Math.min(Math.ceil(usage / target), maxInt32);
  return { usage: Math.ceil(usage / statusReplicas), replicas };
}
