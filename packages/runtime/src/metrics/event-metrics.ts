import type { DropReason, EventObserver } from '../events/event-observer.ts';
import type { MetricSet } from './metric-set.ts';

const reasons: readonly DropReason[] = ['spam', 'full', 'refused', 'stopped', 'invalid'];

/** Metrics of recorded events. */
export class EventMetrics {
  readonly #written;
  readonly #dropped;

  constructor(metrics: MetricSet) {
    this.#written = metrics.counter(
      'event_recorder_written_total',
      'Total number of events and of event counts written',
    );
    this.#dropped = metrics.counter('event_recorder_dropped_total', 'Total number of events dropped', [
      'reason',
    ]);
    for (const reason of reasons) this.#dropped.inc({ reason }, 0);
  }

  observer(): EventObserver {
    return {
      written: () => this.#written.inc(),
      dropped: (reason) => this.#dropped.inc({ reason }),
    };
  }
}
