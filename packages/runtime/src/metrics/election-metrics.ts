import type { ElectionObserver } from '../leader-election/leader-elector.ts';
import type { MetricSet } from './metric-set.ts';

/** Metrics of the leader election. */
export class ElectionMetrics {
  readonly #status;

  constructor(metrics: MetricSet) {
    this.#status = metrics.gauge(
      'leader_election_master_status',
      '1 if this process leads, 0 if it is on standby',
      ['name'],
    );
  }

  observer(): ElectionObserver {
    return { leading: (name, leads) => this.#status.set({ name }, leads ? 1 : 0) };
  }
}
