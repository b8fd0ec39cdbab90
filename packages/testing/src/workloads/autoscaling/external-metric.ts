import { selectorRequirements } from 'ots-apimachinery/selectors/selector-requirements';
import type { ExternalMetricSource } from 'ots-kubernetes/autoscaling/v2';
import type { DeepReadonly } from 'ots-runtime';
import type { Evaluated, Evaluation } from './evaluate-metric.ts';
import { withReason, within } from './metric-error.ts';
import { milliOf } from './metrics-client.ts';
import { quantityOf } from './quantity-of.ts';
import { selectorText } from './selector-text.ts';
import { replicasPerPod, totalReplicas } from './total-replicas.ts';

const reason = 'FailedGetExternalMetric';

/** What a metric from outside of the cluster asks for. */
export function externalMetric(
  { metric, target }: DeepReadonly<ExternalMetricSource>,
  evaluation: Evaluation,
): Promise<Evaluated> {
  const { name } = metric;
  const context = `failed to get ${name} external metric value`;
  const label = `external metric ${name}(${selectorText(metric.selector)})`;
  const statusOf = (current: object) => ({ type: 'External', external: { metric, current } });
  if (target.averageValue !== undefined) {
    const value = milliOf(target.averageValue);
    return withReason(reason, `${context}: failed to get ${name} external metric`, () => {
      const { replicas, usage } = replicasPerPod(
        { usage: usageOf(metric, evaluation), target: value },
        evaluation,
      );
      return { replicas, name: label, status: statusOf({ averageValue: quantityOf(usage) }) };
    });
  }
  if (target.value !== undefined) {
    const value = milliOf(target.value);
    return withReason(reason, `${context}: failed to get external metric ${name}`, () => {
      const { replicas, usage } = totalReplicas(
        { usage: usageOf(metric, evaluation), target: value },
        evaluation,
      );
      return { replicas, name: label, status: statusOf({ value: quantityOf(usage) }) };
    });
  }
  return withReason(reason, context, () => {
    throw new Error(
      'invalid external metric source: neither a value target nor an average value target was set',
    );
  });
}

function usageOf(
  { name, selector }: DeepReadonly<ExternalMetricSource>['metric'],
  { autoscaler, metrics }: Evaluation,
): number {
  const { namespace } = autoscaler.metadata;
  return within(`unable to get external metric ${namespace}/${name}/${selectorText(selector)}`, () =>
    metrics.external({ metric: name, selector: selectorRequirements(selector ?? {}) }),
  );
}
