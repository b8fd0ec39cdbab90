import type { MetricSet } from './metric-set.ts';

/** How many clusters there are besides the manager's own, by state; undefined if the operator has no use for any. */
export type ClusterCounts = { readonly synced: number; readonly waiting: number } | undefined;

/** Metrics of the clusters besides the manager's own: numbers only, because a fleet has too many names for labels. */
export class ClusterMetrics {
  #counts: () => ClusterCounts = () => undefined;

  constructor(metrics: MetricSet) {
    metrics.gauge(
      'other_clusters',
      "Clusters besides the manager's own, by state: synced, or waiting for their caches or a usable connection",
      ['state'],
      (gauge) => {
        const counts = this.#counts();
        if (!counts) return;
        gauge.set({ state: 'synced' }, counts.synced);
        gauge.set({ state: 'waiting' }, counts.waiting);
      },
    );
  }

  /** Shows these from now on. */
  observe(counts: () => ClusterCounts): void {
    this.#counts = counts;
  }
}
