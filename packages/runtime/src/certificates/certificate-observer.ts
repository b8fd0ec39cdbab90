/** Observes a serving certificate, for metrics. */
export interface CertificateObserver {
  /** The certificate was read: from files or from a Secret, usable or not. */
  read(): void;
  /** The pair that was read cannot be used; the previous pair stays. */
  failed(): void;
  /** The server now serves a certificate that expires at `notAfter`, in milliseconds since 1970. */
  serving(notAfter: number): void;
}
