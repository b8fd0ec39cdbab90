import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import type { Clock } from 'ots-apimachinery/clock/clock';
import { sleep } from 'ots-apimachinery/clock/sleep';
import type { Logger } from '../logging/logger.ts';
import type { MetricSet } from './metric-set.ts';

/** In bytes. */
export interface MemoryUse {
  used: number;
  /** Undefined without a limit. */
  limit: number | undefined;
}

/**
 * The memory whose exhaustion kills the process: the JavaScript heap (V8 aborts), or the memory of the container (the
 * kernel kills it).
 */
export type MemoryLimit = 'heap' | 'container';

/** The fraction of the limit above which to warn. */
const threshold = 0.9;
/** In milliseconds. */
const interval = 10_000;
/** The minimum time between two equal warnings, in milliseconds. */
const quietTime = 300_000;

const hints: Record<MemoryLimit, string> = {
  heap: 'Cache fewer objects, or raise --max-old-space-size in NODE_OPTIONS.',
  container: 'Cache fewer objects, or raise the memory limit of the container.',
};

/** Warns before the process runs out of memory and is killed without a message. */
export class MemoryGuard {
  readonly #clock: Clock;
  readonly #measure: () => Record<MemoryLimit, MemoryUse>;
  readonly #warned = new Map<MemoryLimit, number>();

  /** @param measure returns the memory use; that of this process by default. */
  constructor(metrics: MetricSet, clock: Clock, measure = measureProcess) {
    this.#clock = clock;
    this.#measure = measure;
    metrics.gauge('nodejs_heap_size_limit_bytes', 'Size limit of the JavaScript heap', [], (gauge) =>
      gauge.set(this.#measure().heap.limit ?? Number.POSITIVE_INFINITY),
    );
    metrics.gauge(
      'process_memory_limit_bytes',
      'Memory limit of the container, +Inf without a limit',
      [],
      (gauge) => gauge.set(this.#measure().container.limit ?? Number.POSITIVE_INFINITY),
    );
  }

  /** Checks every 10 s until the signal aborts. */
  async watch(logger: Logger, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      this.#check(logger);
      await sleep(this.#clock, interval, signal);
    }
  }

  #check(logger: Logger): void {
    const uses = this.#measure();
    for (const what of ['heap', 'container'] as const) {
      const { used, limit } = uses[what];
      if (limit === undefined || used < limit * threshold) continue;
      const last = this.#warned.get(what);
      if (last !== undefined && this.#clock.now() - last < quietTime) continue;
      this.#warned.set(what, this.#clock.now());
      const percent = Math.round((used / limit) * 100);
      logger.warn({ used, limit, hint: hints[what] }, `the memory of the ${what} is ${percent} % full`);
    }
  }
}

function measureProcess(): Record<MemoryLimit, MemoryUse> {
  const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics();
  return {
    heap: { used, limit },
    container: { used: process.memoryUsage.rss(), limit: containerLimit(process.constrainedMemory()) },
  };
}

/**
 * Returns the container's limit as Node reads it from cgroup v2 or v1. Without a limit Node returns 0, undefined or a
 * number larger than the machine's memory, depending on its version and on that of the cgroups.
 */
export function containerLimit(constrained: number | undefined): number | undefined {
  return constrained !== undefined && constrained > 0 && constrained < totalmem() ? constrained : undefined;
}
