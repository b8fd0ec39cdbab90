import { selectorRequirements } from 'ots-apimachinery/selectors/selector-requirements';
import type { ObjectMetricSource } from 'ots-kubernetes/autoscaling/v2';
import type { DeepReadonly } from 'ots-runtime';
import type { Evaluated, Evaluation } from './evaluate-metric.ts';
import { withReason } from './metric-error.ts';
import { milliOf } from './metrics-client.ts';
import { quantityOf } from './quantity-of.ts';
import { selectorText } from './selector-text.ts';
import { replicasPerPod, totalReplicas } from './total-replicas.ts';

const reason = 'FailedGetObjectMetric';
const context = 'failed to get object metric value';

/** What a metric of an object asks for. */
export function objectMetric(
  { metric, target, describedObject }: DeepReadonly<ObjectMetricSource>,
  evaluation: Evaluation,
): Promise<Evaluated> {
  const { name, selector } = metric;
  const statusOf = (current: object) => ({ type: 'Object', object: { metric, describedObject, current } });
  const read = () => usageOf({ metric, describedObject }, evaluation);
  if (target.type === 'Value' && target.value !== undefined) {
    const value = milliOf(target.value);
    return withReason(reason, context, async () => {
      const { replicas, usage } = totalReplicas({ usage: await read(), target: value }, evaluation);
      const status = statusOf({ value: quantityOf(usage) });
      return { replicas, name: `${describedObject.kind} metric ${name}`, status };
    });
  }
  if (target.type === 'AverageValue' && target.averageValue !== undefined) {
    const value = milliOf(target.averageValue);
    return withReason(reason, `${context}: failed to get ${name} object metric`, async () => {
      const { replicas, usage } = replicasPerPod({ usage: await read(), target: value }, evaluation);
      const status = statusOf({ averageValue: quantityOf(usage) });
      return { replicas, name: `external metric ${name}(${selectorText(selector)})`, status };
    });
  }
  return withReason(reason, context, () => {
    throw new Error(
      'invalid object metric source: neither a value target nor an average value target was set',
    );
  });
}

async function usageOf(
  { metric, describedObject }: Pick<DeepReadonly<ObjectMetricSource>, 'metric' | 'describedObject'>,
  { autoscaler, metrics, resourceOf }: Evaluation,
): Promise<number> {
  const { kind, name } = describedObject;
  const namespace = autoscaler.metadata.namespace ?? '';
  const selector = selectorRequirements(metric.selector ?? {});
  const resource = await resourceOf(describedObject);
  try {
    return metrics.object({ kind, name, namespace }, resource, { metric: metric.name, selector });
  } catch (error) {
    // As Kubernetes writes it: its arguments are in another order than its text.
    const { message } = error as Error;
    throw new Error(`unable to get metric ${metric.name}: ${kind} on ${namespace} ${name}/${message}`, {
      cause: error,
    });
  }
}
