import type { MetricSet } from '../metrics/metric-set.ts';

/** Metrics of the storage migrations of a manager. */
export class StorageMigrationMetrics {
  readonly #oldVersions;
  readonly #remaining;
  readonly #failures;

  constructor(metrics: MetricSet) {
    this.#oldVersions = metrics.gauge(
      'storage_migration_old_versions',
      'Number of versions besides the storage version in which objects of a CRD may be stored',
      ['crd'],
    );
    this.#remaining = metrics.gauge(
      'storage_migration_remaining_objects',
      'Number of objects of a CRD that its storage migration has not looked at yet',
      ['crd'],
    );
    this.#failures = metrics.counter(
      'storage_migration_failures_total',
      'Total number of storage migrations of a CRD that failed and are retried',
      ['crd'],
    );
  }

  /** The metrics of a CRD are shown from now on. */
  show(crd: string): void {
    this.#failures.inc({ crd }, 0);
  }

  /** @param oldVersions how many versions will be dropped. @param remaining undefined if the server does not say it. */
  progress(crd: string, oldVersions: number, remaining: number | undefined): void {
    this.#oldVersions.set({ crd }, oldVersions);
    if (remaining !== undefined) this.#remaining.set({ crd }, remaining);
  }

  failed(crd: string): void {
    this.#failures.inc({ crd });
  }
}
