/** A certificate and its key, both in PEM. */
export interface CertificatePair {
  cert: string;
  key: string;
}
