import type { TransportObserver } from '../transport/transport-options.ts';
import type { MetricSet } from './metric-set.ts';

/** In seconds; as Kubernetes has them for this metric. */
const durationBuckets = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60];

/** Metrics of the requests to the API server. */
export class TransportMetrics {
  readonly #requests;
  readonly #retries;
  readonly #duration;

  constructor(metrics: MetricSet) {
    this.#requests = metrics.counter(
      'rest_client_requests_total',
      'Total number of requests to the API server',
      ['code', 'method', 'host'],
    );
    this.#retries = metrics.counter('rest_client_request_retries_total', 'Total number of retried requests', [
      'verb',
      'host',
    ]);
    this.#duration = metrics.histogram(
      'rest_client_request_duration_seconds',
      'Time until the response to a request begins',
      ['verb', 'host'],
      durationBuckets,
    );
  }

  observer(): TransportObserver {
    return {
      exchanged: ({ code, method, host, seconds }) => {
        this.#requests.inc({ code, method, host });
        this.#duration.observe({ verb: method, host }, seconds);
      },
      retried: (method, host) => this.#retries.inc({ verb: method, host }),
    };
  }
}
