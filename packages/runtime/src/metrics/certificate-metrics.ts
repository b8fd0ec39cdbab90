import type { CertificateObserver } from '../certificates/certificate-observer.ts';
import type { MetricSet } from './metric-set.ts';

/** Metrics of the serving certificates of the manager. */
export class CertificateMetrics {
  readonly #metrics: MetricSet;
  readonly #reads;
  readonly #failures;
  /** When the certificate of each server expires, in milliseconds since 1970. */
  readonly #ends = new Map<CertificateObserver, number>();

  constructor(metrics: MetricSet) {
    this.#metrics = metrics;
    this.#reads = metrics.counter('certwatcher_read_certificate_total', 'Total number of certificate reads');
    this.#failures = metrics.counter(
      'certwatcher_read_certificate_errors_total',
      'Total number of certificate reads that failed',
    );
  }

  /** One for each server. */
  observer(): CertificateObserver {
    const observer: CertificateObserver = {
      read: () => this.#reads.inc(),
      failed: () => this.#failures.inc(),
      serving: (notAfter) => this.#serving(observer, notAfter),
    };
    return observer;
  }

  /** Creates the gauge with the first value: alerts would interpret 0 as a certificate that expired in 1970. */
  #serving(observer: CertificateObserver, notAfter: number): void {
    if (this.#ends.size === 0) {
      this.#metrics.gauge(
        'certificate_expiration_timestamp_seconds',
        'Time when the first of the served certificates expires, in seconds since 1970',
        [],
        (gauge) => gauge.set(Math.min(...this.#ends.values()) / 1000),
      );
    }
    this.#ends.set(observer, notAfter);
  }
}
