import type { CertificatePair } from 'ots-apimachinery/certificates/certificate-pair';
import { selfSignedCertificate } from 'ots-apimachinery/certificates/self-signed-certificate';

const dayMs = 24 * 60 * 60 * 1000;

/**
 * Creates the certificate of a server, valid for one year. Clients trust it as their authority.
 *
 * @param names the host names and IP addresses to certify
 */
export function servingCertificate(names: readonly string[], now: Date): CertificatePair {
  return selfSignedCertificate({
    names,
    subject: 'ots-apiserver',
    // Clocks of other machines may be slow.
    notBefore: new Date(now.getTime() - dayMs),
    notAfter: new Date(now.getTime() + 365 * dayMs),
    isAuthority: true,
  });
}
