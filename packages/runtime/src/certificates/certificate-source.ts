import type { CertificatePair } from 'ots-apimachinery/certificates/certificate-pair';

/** Where a TLS server gets its certificate from: files that are rotated, or a Secret. */
export interface CertificateSource {
  /**
   * The pair to begin with. Waits for one where it has to be made first.
   * @throws {CertificateError} when there is none to serve with.
   */
  load(signal: AbortSignal): Promise<CertificatePair>;
  /**
   * Calls back with every later pair, until the signal aborts; resolves when nothing of it is left running. A pair
   * that cannot be used is logged, and the one before it stays.
   * @param changed resolves when the pair is served; the next one waits for that.
   */
  watch(changed: (pair: CertificatePair) => Promise<void>, signal: AbortSignal): Promise<void>;
}
