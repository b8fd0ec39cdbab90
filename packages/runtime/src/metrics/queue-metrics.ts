import type { QueueObserver } from '../queue/queue-observer.ts';
import { LabelLimit } from './label-limit.ts';
import type { MetricSet } from './metric-set.ts';
import { wideBuckets } from './wide-buckets.ts';

const labelNames = ['name', 'controller'] as const;

/** The state of a queue that is read when metrics are collected. */
export interface QueueState {
  /** How many items are ready. */
  readonly length: number;
  /** How many items are ready per priority; all have priority 0 when absent. */
  lengths?(): ReadonlyMap<number, number>;
  /** How long each unfinished item has taken so far, in milliseconds. */
  unfinished(): number[];
}

interface Measured {
  state: () => QueueState;
  /** Priorities stay after they were seen once, with zeros: a series that comes and goes leaves gaps in dashboards. */
  depths: Map<string, number>;
  priorities: LabelLimit;
}

/** Metrics of the queues of controllers. */
export class QueueMetrics {
  readonly #queues = new Map<string, Measured>();
  readonly #adds;
  readonly #retries;
  readonly #waited;
  readonly #worked;

  constructor(metrics: MetricSet) {
    this.#adds = metrics.counter(
      'workqueue_adds_total',
      'Total number of items that became ready',
      labelNames,
    );
    this.#retries = metrics.counter(
      'workqueue_retries_total',
      'Total number of items added with a delay',
      labelNames,
    );
    this.#waited = metrics.histogram(
      'workqueue_queue_duration_seconds',
      'Time that ready items wait before processing starts',
      labelNames,
      wideBuckets,
    );
    this.#worked = metrics.histogram(
      'workqueue_work_duration_seconds',
      'Time that processing an item takes',
      labelNames,
      wideBuckets,
    );
    metrics.gauge(
      'workqueue_unfinished_work_seconds',
      'Time spent so far on all unfinished work',
      labelNames,
      (gauge) => {
        for (const [name, { state }] of this.#queues)
          gauge.set(
            { name, controller: name },
            state()
              .unfinished()
              .reduce((sum, time) => sum + time, 0) / 1000,
          );
      },
    );
    metrics.gauge(
      'workqueue_longest_running_processor_seconds',
      'Time spent so far on the longest unfinished work',
      labelNames,
      (gauge) => {
        for (const [name, { state }] of this.#queues)
          gauge.set({ name, controller: name }, Math.max(0, ...state().unfinished()) / 1000);
      },
    );
    metrics.gauge(
      'workqueue_depth',
      'Number of ready items, by priority, including those that wait for a running reconcile of the same object',
      [...labelNames, 'priority'],
      (gauge) => {
        for (const [name, queue] of this.#queues)
          for (const [priority, depth] of depthsOf(queue))
            gauge.set({ name, controller: name, priority }, depth);
      },
    );
  }

  /** @param state called when metrics are collected. */
  observer(name: string, state: () => QueueState): QueueObserver {
    const priorities = new LabelLimit();
    this.#queues.set(name, { state, priorities, depths: new Map([[priorities.bound('0'), 0]]) });
    const labels = { name, controller: name };
    this.#adds.inc(labels, 0);
    this.#retries.inc(labels, 0);
    this.#waited.zero(labels);
    this.#worked.zero(labels);
    return {
      added: () => this.#adds.inc(labels),
      started: (waited) => this.#waited.observe(labels, waited / 1000),
      finished: (worked) => this.#worked.observe(labels, worked / 1000),
      retried: () => this.#retries.inc(labels),
    };
  }
}

function depthsOf({ state, depths, priorities }: Measured): Map<string, number> {
  for (const priority of depths.keys()) depths.set(priority, 0);
  const queue = state();
  for (const [priority, length] of queue.lengths?.() ?? [[0, queue.length] as const]) {
    const label = priorities.bound(String(priority));
    depths.set(label, (depths.get(label) ?? 0) + length);
  }
  return depths;
}
