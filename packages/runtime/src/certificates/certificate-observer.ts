/** Told of what happens to a serving certificate, for metrics. */
export interface CertificateObserver {
  /** The certificate was read: from files or from a Secret, usable or not. */
  read(): void;
  /** What was read cannot be used; the pair before it stays. */
  failed(): void;
  /** From now on this certificate is served, until `notAfter`: milliseconds since 1970. */
  serving(notAfter: number): void;
}
