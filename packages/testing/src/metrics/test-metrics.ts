import { amountOf } from 'ots-apimachinery/quantity/amount';
import { type LabelRequirement, labelMatcher } from 'ots-apimachinery/selectors/label-matcher';
import type { Quantity } from 'ots-kubernetes';
import { TestEnvironmentError } from '../errors/test-environment-error.ts';
import type { MeasuredPods, ObjectMetric, ResourceUsage, TestMetric } from './metric.ts';

/** A pod as metrics know it. */
export interface MeasuredPod {
  readonly metadata: {
    readonly name?: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
  readonly spec?: { readonly containers: readonly { readonly name: string }[] };
  readonly status?: { readonly phase?: string };
}

/** Which of several metrics with one name. */
export interface MetricQuery {
  readonly metric: string;
  /** Requirements for the labels of the metric. */
  readonly selector: readonly LabelRequirement[];
}

/** What one container uses, by resource. */
export type ContainerUsage = Readonly<Partial<Record<'cpu' | 'memory', Quantity>>>;

/**
 * The metrics of a cluster, which HorizontalPodAutoscalers read. A metric has its value until the test sets it again. A cluster in which
 * no test has set a metric has no metrics server.
 */
export class TestMetrics {
  readonly #publish: () => Promise<void>;
  readonly #metrics = new Map<string, TestMetric>();
  #published: Promise<void> | undefined;

  /**
   * @param publish serves the metrics to a real control plane. It is called once, with the first metric. Default: nothing.
   * @param memory those of another cluster. Default: none.
   */
  constructor(publish: () => Promise<void> = () => Promise.resolve(), memory?: readonly TestMetric[]) {
    this.#publish = publish;
    if (!memory) return;
    this.#published = Promise.resolve();
    for (const metric of memory) this.#metrics.set(identityOf(metric), metric);
  }

  /** All metrics; undefined in a cluster without a metrics server. @internal */
  get memory(): readonly TestMetric[] | undefined {
    return this.isServed ? [...this.#metrics.values()] : undefined;
  }

  /**
   * Sets a metric, or changes one about the same pods, container, object, name and labels.
   *
   * ```ts
   * await environment.metrics.set({ pods: { labels: { app: 'web' } }, cpu: '800m' });
   * await environment.metrics.set({ pods: { labels: { app: 'web' } }, metric: 'requests_per_second', value: 40 });
   * await environment.metrics.set({ object: { kind: 'Ingress', name: 'web' }, metric: 'requests_per_second', value: '1k' });
   * await environment.metrics.set({ external: true, metric: 'queue_length', labels: { queue: 'mail' }, value: 30 });
   * ```
   *
   * @throws {TestEnvironmentError} for a value that is not a quantity
   */
  async set(metric: TestMetric): Promise<void> {
    check(metric);
    this.#metrics.set(identityOf(metric), metric);
    await (this.#published ??= this.#publish());
  }

  /** Removes all metrics. The metrics server stays, and has none. */
  clear(): void {
    this.#metrics.clear();
  }

  /** Whether a metrics server exists. @internal */
  get isServed(): boolean {
    return this.#published !== undefined;
  }

  /** What the containers of a pod use, by name; undefined for a pod that does not run or has no metrics. @internal */
  usageOf(pod: MeasuredPod): ReadonlyMap<string, ContainerUsage> | undefined {
    if (pod.status?.phase !== 'Running') return undefined;
    const usages = new Map<string, ContainerUsage>();
    for (const metric of this.#metrics.values()) {
      if (!isUsage(metric) || !isAbout(metric.pods, pod)) continue;
      const { container, cpu, memory } = metric;
      const usage = { ...(cpu !== undefined && { cpu }), ...(memory !== undefined && { memory }) };
      for (const { name } of pod.spec?.containers ?? [])
        if (container === undefined || container === name)
          usages.set(name, { ...usages.get(name), ...usage });
    }
    return usages.size === 0 ? undefined : usages;
  }

  /** The metric of a pod; undefined if it has none. @internal */
  valueOfPod(pod: MeasuredPod, query: MetricQuery): Quantity | undefined {
    return this.#values(
      (metric) => 'pods' in metric && 'metric' in metric && isAbout(metric.pods, pod),
      query,
    ).at(-1);
  }

  /** The metric of an object; undefined if it has none. @internal */
  valueOfObject(object: Required<ObjectMetric['object']>, query: MetricQuery): Quantity | undefined {
    const isSame = ({ kind, name, namespace = 'default' }: ObjectMetric['object']): boolean =>
      kind === object.kind && name === object.name && namespace === object.namespace;
    return this.#values((metric) => 'object' in metric && isSame(metric.object), query).at(-1);
  }

  /** The values of an external metric, one for each set of labels. @internal */
  externalValues(query: MetricQuery): Quantity[] {
    return this.#values((metric) => 'external' in metric, query);
  }

  #values(isMeant: (metric: TestMetric) => boolean, { metric: name, selector }: MetricQuery): Quantity[] {
    const matches = labelMatcher(selector);
    return [...this.#metrics.values()].flatMap((metric) =>
      !isUsage(metric) && isMeant(metric) && metric.metric === name && matches(metric.labels)
        ? [metric.value]
        : [],
    );
  }
}

function isUsage(metric: TestMetric): metric is ResourceUsage {
  return !('metric' in metric);
}

function isAbout(
  { namespace = 'default', labels = {}, name }: MeasuredPods,
  { metadata }: MeasuredPod,
): boolean {
  return (
    metadata.namespace === namespace &&
    (name === undefined || metadata.name === name) &&
    Object.entries(labels).every(([key, value]) => metadata.labels?.[key] === value)
  );
}

function identityOf(metric: TestMetric): string {
  if (isUsage(metric)) return JSON.stringify([metric.pods, metric.container]);
  const { value: _value, ...identity } = metric;
  return JSON.stringify(identity);
}

function check(metric: TestMetric): void {
  const values = isUsage(metric) ? { cpu: metric.cpu, memory: metric.memory } : { value: metric.value };
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined || amountOf(value)) continue;
    throw new TestEnvironmentError(
      `The ${name} of a metric is ${JSON.stringify(value)}`,
      "Write a quantity, such as '500m', '2Gi' or 10.",
    );
  }
}
