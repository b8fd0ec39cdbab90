import type { HorizontalPodAutoscaler, MetricSpec, MetricStatus } from 'ots-kubernetes/autoscaling/v2';
import { goQuote } from 'ots-apimachinery/go/go-quote';
import type { DeepReadonly } from 'ots-runtime';
import type { CachedPod } from '../pods/pod-state.ts';
import { externalMetric } from './external-metric.ts';
import { MetricError } from './metric-error.ts';
import type { MetricsClient } from './metrics-client.ts';
import { objectMetric } from './object-metric.ts';
import { podsMetric } from './pods-metric.ts';
import { containerResourceMetric, resourceMetric } from './resource-metric.ts';

export type CachedAutoscaler = DeepReadonly<HorizontalPodAutoscaler>;
export type CachedMetric = DeepReadonly<MetricSpec>;

/** What metrics are evaluated with. */
export interface Evaluation {
  readonly autoscaler: CachedAutoscaler;
  /** Those that the target of the autoscaler selects. */
  readonly pods: readonly CachedPod[];
  /** How many replicas the target asks for, and how many it has. */
  readonly specReplicas: number;
  readonly statusReplicas: number;
  readonly metrics: MetricsClient;
  /** Finds the plural and group of a kind, such as `ingresses.networking.k8s.io`. */
  readonly resourceOf: (object: { readonly apiVersion?: string; readonly kind: string }) => Promise<string>;
  /** In milliseconds since 1970. */
  readonly now: number;
}

/** What a metric asks for. */
export interface Evaluated {
  readonly replicas: number;
  /** For messages, such as `cpu resource utilization (percentage of request)`. */
  readonly name: string;
  readonly status: DeepReadonly<MetricStatus>;
}

/** Evaluates one metric of an autoscaler. @throws {MetricError} if it cannot be read */
export async function evaluateMetric(spec: CachedMetric, evaluation: Evaluation): Promise<Evaluated> {
  const { resource, containerResource, pods, object, external } = spec;
  if (resource) return resourceMetric(resource, evaluation);
  if (containerResource) return containerResourceMetric(containerResource, evaluation);
  if (pods) return podsMetric(pods, evaluation);
  if (object) return objectMetric(object, evaluation);
  if (external) return externalMetric(external, evaluation);
  const message = `unknown metric source type ${goQuote(spec.type)}`;
  throw new MetricError('InvalidMetricSourceType', message, message);
}
