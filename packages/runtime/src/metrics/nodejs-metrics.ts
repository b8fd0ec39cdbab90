import {
  type IntervalHistogram,
  type NodeGCPerformanceDetail,
  type PerformanceEntry,
  PerformanceObserver,
  constants,
  monitorEventLoopDelay,
} from 'node:perf_hooks';
import { type HeapSpaceInfo, getHeapSpaceStatistics, getHeapStatistics } from 'node:v8';
import type { Histogram } from 'prom-client';
import type { MetricSet } from './metric-set.ts';

const collections = new Map([
  [constants.NODE_PERFORMANCE_GC_MAJOR, 'major'],
  [constants.NODE_PERFORMANCE_GC_MINOR, 'minor'],
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL, 'incremental'],
  [constants.NODE_PERFORMANCE_GC_WEAKCB, 'weakcb'],
]);
/** Node's type omits the detail. */
type GarbageCollection = PerformanceEntry & { detail: NodeGCPerformanceDetail };

const pauseBuckets = [0.001, 0.01, 0.1, 1, 2, 5];
/** How often the lag of the event loop is measured, in milliseconds. */
const lagResolution = 20;

const lags: Record<string, (lag: IntervalHistogram) => number> = {
  min: (lag) => lag.min,
  max: (lag) => lag.max,
  mean: (lag) => lag.mean,
  p50: (lag) => lag.percentile(50),
  p90: (lag) => lag.percentile(90),
  p99: (lag) => lag.percentile(99),
};

const spaceSizes: readonly (readonly [string, string, (space: HeapSpaceInfo) => number])[] = [
  ['total', 'Reserved memory of each heap space', (space) => space.space_size],
  ['used', 'Used memory of each heap space', (space) => space.space_used_size],
  ['available', 'Free memory of each heap space', (space) => space.space_available_size],
];

/** The JavaScript engine: heap, garbage collection and event loop, with the names that dashboards of Node.js use. */
export class NodejsMetrics {
  readonly #pauses: Histogram<'kind'>;
  #lag: IntervalHistogram | undefined;

  constructor(metrics: MetricSet) {
    const [major, minor, patch] = process.version.slice(1).split('.') as [string, string, string];
    metrics
      .gauge('nodejs_version_info', 'Version of Node.js', ['version', 'major', 'minor', 'patch'])
      .set({ version: process.version, major, minor, patch }, 1);
    this.#pauses = metrics.histogram(
      'nodejs_gc_duration_seconds',
      'Duration of garbage collection pauses',
      ['kind'],
      pauseBuckets,
    );
    addHeap(metrics);
    metrics.gauge(
      'nodejs_active_resources',
      'Number of timers, sockets and requests that keep the process alive',
      ['type'],
      (gauge) => {
        gauge.reset();
        for (const type of process.getActiveResourcesInfo()) gauge.inc({ type });
      },
    );
    this.#addLag(metrics);
  }

  /**
   * Measures pauses for garbage collection and the lag of the event loop continuously.
   * @returns a function that stops it.
   */
  start(): () => void {
    const lag = monitorEventLoopDelay({ resolution: lagResolution });
    lag.enable();
    this.#lag = lag;
    const observer = new PerformanceObserver((list) => {
      for (const { duration, detail } of list.getEntries() as GarbageCollection[]) {
        const kind = collections.get(detail.kind ?? -1);
        if (kind !== undefined) this.#pauses.observe({ kind }, duration / 1000);
      }
    });
    observer.observe({ entryTypes: ['gc'] });
    return () => {
      observer.disconnect();
      lag.disable();
      this.#lag = undefined;
    };
  }

  /** Each scrape shows the lag since the previous one: an average since the start would hide every hiccup. */
  #addLag(metrics: MetricSet): void {
    // This gauge comes first: collecting it sets the others before they are read.
    metrics.gauge(
      'nodejs_eventloop_lag_seconds',
      'Lag of the event loop at the time of the scrape',
      [],
      async (now) => {
        for (const { gauge, value } of gauges) gauge.set(this.#lag?.count ? value(this.#lag) : 0);
        this.#lag?.reset();
        const since = performance.now();
        await new Promise((resolve) => setImmediate(resolve));
        now.set((performance.now() - since) / 1000);
      },
    );
    const gauges = Object.entries(lags).map(([name, nanoseconds]) => ({
      gauge: metrics.gauge(
        `nodejs_eventloop_lag_${name}_seconds`,
        `Lag of the event loop since the last scrape (${name})`,
      ),
      // Node's values include the sampling interval.
      value: (lag: IntervalHistogram) => Math.max(0, nanoseconds(lag) / 1e9 - lagResolution / 1000),
    }));
  }
}

function addHeap(metrics: MetricSet): void {
  metrics.gauge('nodejs_heap_size_total_bytes', 'Reserved memory of the JavaScript heap', [], (gauge) =>
    gauge.set(getHeapStatistics().total_heap_size),
  );
  metrics.gauge('nodejs_heap_size_used_bytes', 'Used memory of the JavaScript heap', [], (gauge) =>
    gauge.set(getHeapStatistics().used_heap_size),
  );
  metrics.gauge('nodejs_external_memory_bytes', 'Memory of buffers outside the heap', [], (gauge) =>
    gauge.set(getHeapStatistics().external_memory),
  );
  for (const [name, help, bytes] of spaceSizes) {
    metrics.gauge(`nodejs_heap_space_size_${name}_bytes`, help, ['space'], (gauge) => {
      for (const space of getHeapSpaceStatistics())
        gauge.set({ space: space.space_name.replace(/_space$/, '') }, bytes(space));
    });
  }
}
