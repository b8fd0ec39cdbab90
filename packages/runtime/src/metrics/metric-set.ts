import type { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { loadPromClient } from './prom-client.ts';

const promClient = loadPromClient();

/** Creates metrics in one registry. Not shared in the process, or the counts of two managers would be added up. */
export class MetricSet {
  /**
   * The metrics that were created here. A registry of prom-client, to which metrics created with prom-client can be
   * added.
   */
  readonly registry: Registry = new promClient.Registry();

  /**
   * A number that only grows. Its name ends in `_total`.
   * @param collect called before every scrape, to set what is cheaper to ask for than to keep up to date.
   * @throws {Error} when the name is taken, or is not one.
   */
  counter<Label extends string = never>(
    name: string,
    help: string,
    labelNames: readonly Label[] = [],
    collect?: (counter: Counter<Label>) => void | Promise<void>,
  ): Counter<Label> {
    const counter: Counter<Label> = new promClient.Counter({
      name,
      help,
      labelNames,
      registers: [this.registry],
      ...(collect && { collect: () => collect(counter) }),
    });
    return counter;
  }

  /**
   * A number that goes up and down.
   * @param collect called before every scrape, to set what is cheaper to ask for than to keep up to date.
   * @throws {Error} when the name is taken, or is not one.
   */
  gauge<Label extends string = never>(
    name: string,
    help: string,
    labelNames: readonly Label[] = [],
    collect?: (gauge: Gauge<Label>) => void | Promise<void>,
  ): Gauge<Label> {
    const gauge: Gauge<Label> = new promClient.Gauge({
      name,
      help,
      labelNames,
      registers: [this.registry],
      ...(collect && { collect: () => collect(gauge) }),
    });
    return gauge;
  }

  /**
   * How values are spread, as of durations in seconds.
   * @param buckets the upper bounds of the buckets, ascending.
   * @throws {Error} when the name is taken, or is not one.
   */
  histogram<Label extends string = never>(
    name: string,
    help: string,
    labelNames: readonly Label[],
    buckets: readonly number[],
  ): Histogram<Label> {
    return new promClient.Histogram({
      name,
      help,
      labelNames,
      buckets: [...buckets],
      registers: [this.registry],
    });
  }
}
