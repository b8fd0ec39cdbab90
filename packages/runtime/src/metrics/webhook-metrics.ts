import type { WebhookObserver } from '../webhook/webhook-observer.ts';
import type { MetricSet } from './metric-set.ts';
import { wideBuckets } from './wide-buckets.ts';

/** Metrics of the requests of the API server to the webhooks. */
export class WebhookMetrics {
  readonly #requests;
  readonly #latency;
  readonly #inFlight;
  readonly #panics;

  constructor(metrics: MetricSet) {
    this.#requests = metrics.counter(
      'controller_runtime_webhook_requests_total',
      'Total number of requests to webhooks, by HTTP status',
      ['webhook', 'code'],
    );
    this.#latency = metrics.histogram(
      'controller_runtime_webhook_latency_seconds',
      'Duration of requests to webhooks',
      ['webhook'],
      wideBuckets,
    );
    this.#inFlight = metrics.gauge(
      'controller_runtime_webhook_requests_in_flight',
      'Number of requests to webhooks in flight',
      ['webhook'],
    );
    this.#panics = {
      admission: metrics.counter(
        'controller_runtime_webhook_panics_total',
        'Total number of admission requests that failed because the handler threw',
      ),
      conversion: metrics.counter(
        'controller_runtime_conversion_webhook_panics_total',
        'Total number of conversion requests that failed because the converter threw',
      ),
    };
  }

  /** Shows the webhook at the path with zeros. */
  observer(webhook: string): WebhookObserver {
    for (const code of ['200', '500']) this.#requests.inc({ webhook, code }, 0);
    this.#inFlight.set({ webhook }, 0);
    return {
      started: () => this.#inFlight.inc({ webhook }),
      finished: (code, seconds) => {
        this.#inFlight.dec({ webhook });
        this.#requests.inc({ webhook, code: String(code) });
        this.#latency.observe({ webhook }, seconds);
      },
      panicked: (kind) => this.#panics[kind].inc(),
    };
  }
}
