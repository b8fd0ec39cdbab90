/** A certificate and its key, both PEM. */
export interface CertificatePair {
  cert: string;
  key: string;
}
