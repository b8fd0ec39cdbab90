import type { CertificatePair } from 'ots-apimachinery/certificates/certificate-pair';

/** Where a TLS server gets its certificate from: files that are rotated, or a Secret. */
export interface CertificateSource {
  /**
   * Returns the first pair. Waits if it must be created first.
   * @throws {CertificateError} when no usable pair exists.
   */
  load(signal: AbortSignal): Promise<CertificatePair>;
  /**
   * Calls back with every later pair until the signal aborts, and resolves when it has stopped. Logs a pair that cannot
   * be used; the previous pair stays.
   * @param changed resolves when the server serves the pair; the next call waits for that.
   */
  watch(changed: (pair: CertificatePair) => Promise<void>, signal: AbortSignal): Promise<void>;
}
