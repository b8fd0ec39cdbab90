import {
  X509Certificate,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  randomBytes,
} from 'node:crypto';
import { keyPem, signCertificate } from 'ots-apimachinery/certificates/x509';
import type { CertificatePair } from 'ots-apimachinery/certificates/certificate-pair';

/** When a certificate becomes valid and when it expires, in milliseconds since 1970. */
export interface Validity {
  notBefore: number;
  notAfter: number;
}

/** Creates an authority with a unique name. */
export function makeAuthority({ notBefore, notAfter }: Validity): CertificatePair {
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = `webhook-ca-${randomBytes(8).toString('hex')}`;
  const cert = signCertificate({
    subject: name,
    publicKey: pair.publicKey,
    issuer: name,
    issuerKey: pair,
    notBefore: new Date(notBefore),
    notAfter: new Date(notAfter),
    isAuthority: true,
  });
  return { cert, key: keyPem(pair.privateKey) };
}

/**
 * Issues a server certificate, signed by an authority from `makeAuthority`. It never outlives the authority.
 * @param names the DNS names and IP addresses of the server; at least one.
 */
export function issueCertificate(
  authority: CertificatePair,
  names: readonly string[],
  { notBefore, notAfter }: Validity,
): CertificatePair {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const signer = new X509Certificate(authority.cert);
  const issuerKey = createPrivateKey(authority.key);
  const cert = signCertificate({
    subject: names[0] ?? '',
    publicKey,
    issuer: signer.subject.replace(/^CN=/, ''),
    issuerKey: { publicKey: createPublicKey(issuerKey), privateKey: issuerKey },
    notBefore: new Date(notBefore),
    notAfter: new Date(Math.min(notAfter, Date.parse(signer.validTo))),
    names,
  });
  return { cert, key: keyPem(privateKey) };
}
