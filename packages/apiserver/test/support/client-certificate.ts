import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import type { CertificatePair } from 'ots-apimachinery/certificates/certificate-pair';
import {
  type CertificateContents,
  clientAuth,
  keyPem,
  signCertificate,
} from 'ots-apimachinery/certificates/x509';

const dayMs = 24 * 60 * 60 * 1000;

/**
 * A certificate that an authority signs: of the client `jane`, and valid now, unless the contents say otherwise.
 *
 * @param claimed the authority whose key it names. Default: the one that signs it.
 */
export function clientCertificate(
  authority: CertificatePair,
  contents: Partial<CertificateContents>,
  claimed: CertificatePair = authority,
): CertificatePair {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const signer = createPrivateKey(authority.key);
  const cert = signCertificate({
    subject: 'jane',
    publicKey,
    issuer: 'ots-client-ca',
    issuerKey: { privateKey: signer, publicKey: createPublicKey(createPrivateKey(claimed.key)) },
    notBefore: new Date(Date.now() - dayMs),
    notAfter: new Date(Date.now() + dayMs),
    purposes: [clientAuth],
    ...contents,
  });
  return { cert, key: keyPem(privateKey) };
}
