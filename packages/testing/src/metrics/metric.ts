import type { Quantity } from 'ots-kubernetes';

/** Which pods have a metric: those for which all of this is true. */
export interface MeasuredPods {
  /** Default `default`. */
  readonly namespace?: string;
  /** Default: any. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Default: any. */
  readonly name?: string;
}

/** What the containers of running pods use, as metrics-server tells it. */
export interface ResourceUsage {
  readonly pods: MeasuredPods;
  /** Default: each container. */
  readonly container?: string;
  /** Default: no metric. */
  readonly cpu?: Quantity;
  /** Default: no metric. */
  readonly memory?: Quantity;
}

interface NamedMetric {
  /** Its name, such as `requests_per_second`. */
  readonly metric: string;
  /** The labels of the metric, which the selector of a HorizontalPodAutoscaler selects. Default none. */
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: Quantity;
}

/** A metric of each of some pods, as an adapter of `custom.metrics.k8s.io` tells it. */
export interface PodsMetric extends NamedMetric {
  readonly pods: MeasuredPods;
}

/** A metric of one object, as an adapter of `custom.metrics.k8s.io` tells it. */
export interface ObjectMetric extends NamedMetric {
  readonly object: {
    readonly kind: string;
    readonly name: string;
    /** Default `default`. */
    readonly namespace?: string;
  };
}

/** A metric of something outside of the cluster, as an adapter of `external.metrics.k8s.io` tells it. */
export interface ExternalMetric extends NamedMetric {
  readonly external: true;
}

/** What a test says about the load of a cluster. */
export type TestMetric = ResourceUsage | PodsMetric | ObjectMetric | ExternalMetric;
