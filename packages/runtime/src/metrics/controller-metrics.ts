import type { Outcome, ReconcileObserver } from '../controller/reconcile-observer.ts';
import type { MetricSet } from './metric-set.ts';

/** In seconds; as controller-runtime has them. */
const timeBuckets = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.25, 1.5,
  1.75, 2, 2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60,
];
const outcomes: readonly Outcome[] = ['success', 'error', 'requeue', 'requeue_after'];
const labelNames = ['controller'] as const;

/** Metrics of reconciles. */
export class ControllerMetrics {
  readonly #total;
  readonly #errors;
  readonly #failures;
  readonly #loops;
  readonly #time;
  readonly #workers;
  readonly #active;

  constructor(metrics: MetricSet) {
    const counter = (name: string, help: string) =>
      metrics.counter(`controller_runtime_${name}_total`, help, labelNames);
    this.#total = metrics.counter(
      'controller_runtime_reconcile_total',
      'Total number of reconciles, by result',
      [...labelNames, 'result'],
    );
    this.#errors = counter('reconcile_errors', 'Total number of failed reconciles');
    this.#failures = {
      terminal: counter(
        'terminal_reconcile_errors',
        'Total number of reconciles that failed with a terminal error',
      ),
      panic: counter('reconcile_panics', 'Total number of rejected promises that a reconcile did not await'),
      timeout: counter(
        'reconcile_timeouts',
        'Total number of reconciles that exceeded the reconcile timeout',
      ),
      conflict: counter('reconcile_conflicts', 'Total number of reconciles retried because of a conflict'),
    };
    this.#loops = counter(
      'hot_loop_reconciles',
      "Total number of reconciles in hot loops, in which the controller's own writes trigger the next reconcile",
    );
    this.#time = metrics.histogram(
      'controller_runtime_reconcile_time_seconds',
      'Duration of reconciles',
      labelNames,
      timeBuckets,
    );
    this.#workers = metrics.gauge(
      'controller_runtime_max_concurrent_reconciles',
      'Maximum number of concurrent reconciles',
      labelNames,
    );
    this.#active = metrics.gauge(
      'controller_runtime_active_workers',
      'Number of running reconciles',
      labelNames,
    );
  }

  /** Shows the controller with zeros: rates are correct from its first reconcile on. */
  observer(controller: string, workers: number): ReconcileObserver {
    const labels = { controller };
    for (const result of outcomes) this.#total.inc({ controller, result }, 0);
    for (const failures of [this.#errors, this.#loops, ...Object.values(this.#failures)])
      failures.inc(labels, 0);
    this.#active.set(labels, 0);
    this.#workers.set(labels, workers);
    return {
      started: () => this.#active.inc(labels),
      finished: (outcome, seconds) => {
        this.#active.dec(labels);
        this.#total.inc({ controller, result: outcome });
        // Counted here and not in `failed`: a reconcile that fails in two ways at once is one failed reconcile.
        if (outcome === 'error') this.#errors.inc(labels);
        this.#time.observe(labels, seconds);
      },
      looped: () => this.#loops.inc(labels),
      failed: (kind) => {
        if (kind !== 'error') this.#failures[kind].inc(labels);
      },
    };
  }
}
