import { issueCertificate, makeAuthority } from '../../src/certificates/certificate-authority.ts';

/** What a server on this machine shows, and the authority that it is from. PEM. */
export interface ServingCertificate {
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

/** A certificate of an authority that nobody knows yet. */
export function servingCertificate(): ServingCertificate {
  const day = 86_400_000;
  const validity = { notBefore: Date.now() - day, notAfter: Date.now() + day };
  const authority = makeAuthority(validity);
  return { ca: authority.cert, ...issueCertificate(authority, ['127.0.0.1'], validity) };
}
