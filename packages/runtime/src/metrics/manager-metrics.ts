import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { QueueObserver } from '../queue/work-queue.ts';
import type { Exchange } from '../transport/transport.ts';
import { addProcessMetrics } from './process-metrics.ts';

const reconcileBuckets = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.25, 1.5,
  1.75, 2, 2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60,
];
const webhookBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** 10 ns to 1000 s. */
const queueBuckets = Array.from({ length: 12 }, (_, power) => 1e-8 * 10 ** power);
const queueLabels = ['name', 'controller'] as const;

type QueueLabel = (typeof queueLabels)[number];

/** What is measured of a queue when metrics are collected. */
interface QueueState {
  readonly length: number;
  unfinished(): number[];
}

/**
 * The metrics of one manager, with the names and labels of controller-runtime, so that existing dashboards and alerts
 * work. Imported only when metrics are served.
 */
export class ManagerMetrics {
  readonly registry = new Registry();
  readonly reconcileTotal = this.#counter('controller_runtime_reconcile_total', 'Runs of reconcilers', [
    'controller',
    'result',
  ]);
  readonly reconcileErrors = this.#counter(
    'controller_runtime_reconcile_errors_total',
    'Runs of reconcilers that failed',
    ['controller'],
  );
  readonly terminalErrors = this.#counter(
    'controller_runtime_terminal_reconcile_errors_total',
    'Runs of reconcilers that failed for good',
    ['controller'],
  );
  readonly activeWorkers = this.#gauge('controller_runtime_active_workers', 'Workers that are busy', [
    'controller',
  ]);
  readonly webhookRequests = this.#counter(
    'controller_runtime_webhook_requests_total',
    'Admission requests',
    ['webhook', 'code'],
  );
  readonly webhookLatency = this.#histogram(
    'controller_runtime_webhook_latency_seconds',
    'Time to answer admission requests',
    ['webhook'],
    webhookBuckets,
  );
  readonly webhookInFlight = this.#gauge(
    'controller_runtime_webhook_requests_in_flight',
    'Admission requests being answered',
    ['webhook'],
  );
  readonly webhookPanics = this.#counter(
    'controller_runtime_webhook_panics_total',
    'Webhook handlers that failed unexpectedly',
    [],
  );
  readonly #reconcileTime = this.#histogram(
    'controller_runtime_reconcile_time_seconds',
    'Time of runs of reconcilers',
    ['controller'],
    reconcileBuckets,
  );
  readonly #maxConcurrent = this.#gauge(
    'controller_runtime_max_concurrent_reconciles',
    'Workers of each controller',
    ['controller'],
  );
  readonly #clientRequests = this.#counter('rest_client_requests_total', 'Requests to the API server', [
    'code',
    'method',
    'host',
  ]);
  readonly #queues = new Map<string, () => QueueState>();
  readonly #queueAdds = this.#counter('workqueue_adds_total', 'Items that became ready', queueLabels);
  readonly #queueRetries = this.#counter(
    'workqueue_retries_total',
    'Items added again after a failure',
    queueLabels,
  );
  readonly #queueWait = this.#histogram(
    'workqueue_queue_duration_seconds',
    'Time that items are ready before work begins',
    queueLabels,
    queueBuckets,
  );
  readonly #queueWork = this.#histogram(
    'workqueue_work_duration_seconds',
    'Time of work on items',
    queueLabels,
    queueBuckets,
  );

  constructor() {
    this.#queueGauge('workqueue_depth', 'Items that are ready', (queue) => queue.length);
    this.#queueGauge('workqueue_unfinished_work_seconds', 'Time spent so far on unfinished work', (queue) =>
      queue.unfinished().reduce((sum, time) => sum + time / 1000, 0),
    );
    this.#queueGauge(
      'workqueue_longest_running_processor_seconds',
      'Time of the longest unfinished work',
      (queue) => Math.max(0, ...queue.unfinished().map((time) => time / 1000)),
    );
    addProcessMetrics(this.registry);
  }

  /** Shows the controller with zeros, so that rates are right from its first run on. */
  addController(controller: string, maxConcurrentReconciles: number): void {
    for (const result of ['success', 'error', 'requeue_after'])
      this.reconcileTotal.inc({ controller, result }, 0);
    this.reconcileErrors.inc({ controller }, 0);
    this.terminalErrors.inc({ controller }, 0);
    this.activeWorkers.set({ controller }, 0);
    this.#maxConcurrent.set({ controller }, maxConcurrentReconciles);
  }

  reconciled(controller: string, result: string, seconds: number): void {
    this.reconcileTotal.inc({ controller, result });
    this.#reconcileTime.observe({ controller }, seconds);
  }

  requested({ code, method, host }: Exchange): void {
    this.#clientRequests.inc({ code, method, host });
  }

  /** @param queue asked for when metrics are collected. */
  queueObserver(controller: string, queue: () => QueueState): QueueObserver {
    this.#queues.set(controller, queue);
    const labels = { name: controller, controller };
    this.#queueAdds.inc(labels, 0);
    this.#queueRetries.inc(labels, 0);
    return {
      added: () => this.#queueAdds.inc(labels),
      started: (waited) => this.#queueWait.observe(labels, waited / 1000),
      finished: (worked) => this.#queueWork.observe(labels, worked / 1000),
      retried: () => this.#queueRetries.inc(labels),
    };
  }

  #queueGauge(name: string, help: string, measure: (queue: QueueState) => number): void {
    const queues = this.#queues;
    const gauge: Gauge<QueueLabel> = new Gauge({
      name,
      help,
      labelNames: queueLabels,
      registers: [this.registry],
      collect: () => {
        for (const [controller, queue] of queues)
          gauge.set({ name: controller, controller }, measure(queue()));
      },
    });
  }

  #counter<Label extends string>(name: string, help: string, labelNames: readonly Label[]): Counter<Label> {
    return new Counter({ name, help, labelNames, registers: [this.registry] });
  }

  #gauge<Label extends string>(name: string, help: string, labelNames: readonly Label[]): Gauge<Label> {
    return new Gauge({ name, help, labelNames, registers: [this.registry] });
  }

  #histogram<Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[],
    buckets: number[],
  ): Histogram<Label> {
    return new Histogram({ name, help, labelNames, buckets, registers: [this.registry] });
  }
}
