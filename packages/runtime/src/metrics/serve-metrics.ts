import type { RequestListener } from 'node:http';
import type { Registry } from 'prom-client';
import type { Clock } from 'ots-apimachinery/clock/clock';
import { withDeadline } from '../clock/with-deadline.ts';
import type { Logger } from '../logging/logger.ts';
import { unlessAborted } from '../signals/until-aborted.ts';
import { serveText } from './serve-text.ts';

/** Longer than any scraper waits, in milliseconds. */
const timeout = 60_000;

/**
 * Serves all metrics of the registry in the text format of Prometheus, compressed if the client accepts it. Concurrent
 * scrapes share one collection, so a runaway scraper costs little. A collection that takes longer than a minute fails,
 * and the next scrape tries again.
 */
export function serveMetrics(registry: Registry, clock: Clock, logger: Logger): RequestListener {
  let collecting: Promise<string> | undefined;
  const collect = (): Promise<string> => {
    collecting ??= withDeadline(clock, timeout, undefined, tooLate, (signal) =>
      unlessAborted(registry.metrics(), signal),
    ).finally(() => {
      collecting = undefined;
    });
    return collecting;
  };
  return serveText('metrics', registry.contentType, collect, logger);
}

function tooLate(): Error {
  return new Error(`a metric was not collected within ${timeout / 1000} s`);
}
