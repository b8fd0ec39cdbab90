import type {
  ContainerResourceMetricSource,
  MetricTarget,
  MetricValueStatus,
  ResourceMetricSource,
} from 'ots-kubernetes/autoscaling/v2';
import type { DeepReadonly } from 'ots-runtime';
import { type Measure, type Proposal, averageReplicas } from './average-replicas.ts';
import type { Evaluated, Evaluation } from './evaluate-metric.ts';
import { byAverage, byUtilization } from './measures.ts';
import { withReason, within } from './metric-error.ts';
import { milliOf } from './metrics-client.ts';
import { quantityOf } from './quantity-of.ts';
import { tolerancesOf } from './tolerances.ts';

interface Source {
  /** Of the resource. */
  readonly name: string;
  readonly container?: string;
  readonly target: DeepReadonly<MetricTarget>;
}

/** What the CPU or memory of pods asks for. */
export function resourceMetric(
  source: DeepReadonly<ResourceMetricSource>,
  evaluation: Evaluation,
): Promise<Evaluated> {
  const { name, target } = source;
  return withReason('FailedGetResourceMetric', `failed to get ${name} resource metric value`, () => {
    const { replicas, current } = evaluate(source, evaluation);
    const suffix = target.averageValue === undefined ? ' utilization (percentage of request)' : '';
    const status = { type: 'Resource', resource: { name, current } };
    return { replicas, name: `${name} resource${suffix}`, status };
  });
}

/** What the CPU or memory of one container of pods asks for. */
export function containerResourceMetric(
  source: DeepReadonly<ContainerResourceMetricSource>,
  evaluation: Evaluation,
): Promise<Evaluated> {
  const { name, container, target } = source;
  const context = `failed to get ${container} container metric value`;
  return withReason('FailedGetContainerResourceMetric', context, () => {
    const { replicas, current } = evaluate(source, evaluation);
    const label =
      target.averageValue === undefined
        ? `${name} container resource utilization (percentage of request)`
        : `${name} resource`;
    const status = { type: 'ContainerResource', containerResource: { name, container, current } };
    return { replicas, name: label, status };
  });
}

function evaluate(source: Source, evaluation: Evaluation): { replicas: number; current: MetricValueStatus } {
  const { name, target } = source;
  if (target.averageValue !== undefined) {
    const measure = byAverage(milliOf(target.averageValue));
    const { replicas, usage } = within(`failed to get ${name} usage`, () =>
      propose(source, evaluation, () => measure),
    );
    return { replicas, current: { averageValue: quantityOf(usage, name) } };
  }
  const { averageUtilization } = target;
  if (averageUtilization === undefined)
    throw new Error(
      'invalid resource metric source: neither an average utilization target nor an average value (usage) target was set',
    );
  const { replicas, usage, utilization } = within(`failed to get ${name} utilization`, () =>
    propose(source, evaluation, () =>
      byUtilization(averageUtilization, {
        pods: evaluation.pods,
        resource: name,
        container: source.container,
      }),
    ),
  );
  const averageValue = quantityOf(usage, name);
  return { replicas, current: { averageValue, averageUtilization: utilization ?? 0 } };
}

function propose(
  { name, container }: Source,
  { autoscaler, pods, specReplicas, metrics, now }: Evaluation,
  measure: () => Measure,
): Proposal {
  const readings = within(`unable to get metrics for resource ${name}`, () =>
    metrics.resource(pods, name, container),
  );
  const tolerances = tolerancesOf(autoscaler);
  const load = { pods, readings, currentReplicas: specReplicas, tolerances, isCpu: name === 'cpu', now };
  return averageReplicas(load, measure);
}
