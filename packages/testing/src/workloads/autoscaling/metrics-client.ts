import { amountOf } from 'ots-apimachinery/quantity/amount';
import type { Quantity } from 'ots-kubernetes';
import type { MetricQuery, TestMetrics } from '../../metrics/test-metrics.ts';
import type { CachedPod } from '../pods/pod-state.ts';

/** Values in thousandths, by the names of pods. */
export type Readings = ReadonlyMap<string, number>;

/** Reads the metrics that a test has set, and fails in the words of kube-controller-manager. */
export class MetricsClient {
  readonly #metrics: TestMetrics;

  constructor(metrics: TestMetrics) {
    this.#metrics = metrics;
  }

  /** What pods use of a resource, or one of their containers. @throws {Error} if there are no metrics */
  resource(pods: readonly CachedPod[], resource: string, container?: string): Readings {
    const what = 'unable to fetch metrics from resource metrics API';
    if (!this.#metrics.isServed)
      throw new Error(`${what}: the server could not find the requested resource (get pods.metrics.k8s.io)`);
    const usages = pods.flatMap((pod) => {
      const usage = this.#metrics.usageOf(pod);
      return usage ? [[pod, usage] as const] : [];
    });
    if (usages.length === 0) throw new Error('no metrics returned from resource metrics API');
    const readings = new Map<string, number>();
    for (const [pod, usage] of usages) {
      const names = container === undefined ? [...usage.keys()] : [container];
      const values = names.map((name) => usage.get(name)?.[resource as 'cpu' | 'memory']);
      if (values.every((value) => value !== undefined))
        readings.set(
          pod.metadata.name!,
          values.reduce<number>((sum, value) => sum + milliOf(value), 0),
        );
    }
    return readings;
  }

  /** A metric of pods. @throws {Error} if there are no metrics */
  pods(pods: readonly CachedPod[], query: MetricQuery): Readings {
    this.#checkCustom();
    const readings = new Map<string, number>();
    for (const pod of pods) {
      const value = this.#metrics.valueOfPod(pod, query);
      if (value !== undefined) readings.set(pod.metadata.name!, milliOf(value));
    }
    if (readings.size === 0) throw new Error('no metrics returned from custom metrics API');
    return readings;
  }

  /** A metric of an object. @param resource its plural and group @throws {Error} if it has none */
  object(
    object: { kind: string; name: string; namespace: string },
    resource: string,
    query: MetricQuery,
  ): number {
    this.#checkCustom();
    const value = this.#metrics.valueOfObject(object, query);
    if (value !== undefined) return milliOf(value);
    const missing = `the server could not find the metric ${query.metric} for ${resource} ${object.name}`;
    throw new Error(`unable to fetch metrics from custom metrics API: ${missing}`);
  }

  /** The sum of the values of an external metric. @throws {Error} if it has none */
  external(query: MetricQuery): number {
    if (!this.#metrics.isServed) {
      const missing = `the server could not find the requested resource (get ${query.metric}.external.metrics.k8s.io)`;
      throw new Error(`unable to fetch metrics from external metrics API: ${missing}`);
    }
    const values = this.#metrics.externalValues(query);
    if (values.length === 0) throw new Error('no metrics returned from external metrics API');
    return values.reduce<number>((sum, value) => sum + milliOf(value), 0);
  }

  #checkCustom(): void {
    if (this.#metrics.isServed) return;
    const missing = 'no custom metrics API (custom.metrics.k8s.io) registered';
    throw new Error(`unable to fetch metrics from custom metrics API: ${missing}`);
  }
}

/** Thousandths of a quantity, rounded up. */
export function milliOf(quantity: Quantity = 0): number {
  const { nanos } = amountOf(quantity) ?? { nanos: 0n };
  const whole = nanos / 1_000_000n;
  return Number(nanos % 1_000_000n > 0n ? whole + 1n : whole);
}
