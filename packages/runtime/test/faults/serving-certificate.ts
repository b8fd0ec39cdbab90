import { issueCertificate, makeAuthority } from '../../src/certificates/certificate-authority.ts';

/** The certificate of a server on this machine, its key, and its authority. PEM. */
export interface ServingCertificate {
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

/** Creates a certificate with a new authority. */
export function servingCertificate(): ServingCertificate {
  const day = 86_400_000;
  const validity = { notBefore: Date.now() - day, notAfter: Date.now() + day };
  const authority = makeAuthority(validity);
  return { ca: authority.cert, ...issueCertificate(authority, ['127.0.0.1'], validity) };
}
