import { selectorRequirements } from 'ots-apimachinery/selectors/selector-requirements';
import type { PodsMetricSource } from 'ots-kubernetes/autoscaling/v2';
import type { DeepReadonly } from 'ots-runtime';
import { averageReplicas } from './average-replicas.ts';
import type { Evaluated, Evaluation } from './evaluate-metric.ts';
import { byAverage } from './measures.ts';
import { withReason, within } from './metric-error.ts';
import { milliOf } from './metrics-client.ts';
import { quantityOf } from './quantity-of.ts';
import { tolerancesOf } from './tolerances.ts';

/** What the average of a metric of pods asks for. */
export function podsMetric(
  { metric, target }: DeepReadonly<PodsMetricSource>,
  { autoscaler, pods, specReplicas, metrics, now }: Evaluation,
): Promise<Evaluated> {
  const { name } = metric;
  return withReason('FailedGetPodsMetric', 'failed to get pods metric value', () => {
    const selector = selectorRequirements(metric.selector ?? {});
    const readings = within(`unable to get metric ${name}`, () =>
      metrics.pods(pods, { metric: name, selector }),
    );
    const tolerances = tolerancesOf(autoscaler);
    const load = { pods, readings, currentReplicas: specReplicas, tolerances, isCpu: false, now };
    const { replicas, usage } = averageReplicas(load, () => byAverage(milliOf(target.averageValue)));
    const status = { metric, current: { averageValue: quantityOf(usage) } };
    return { replicas, name: `pods metric ${name}`, status: { type: 'Pods', pods: status } };
  });
}
