import { X509Certificate, createPrivateKey } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import type { CertificatePair } from 'ots-apimachinery/certificates/certificate-pair';

/**
 * Refuses a pair that would break the handshakes of a server: a half-written file, or a key that does not match the
 * certificate, as between the two writes of a rotation. Ignores the dates: an expired certificate is better than none,
 * and clients report it.
 * @returns when the certificate expires, in milliseconds since 1970.
 * @throws {Error} when a server cannot use the pair. The message does not quote their contents.
 */
export function checkPair({ cert, key }: CertificatePair): number {
  const leaf = new X509Certificate(cert);
  if (!leaf.checkPrivateKey(createPrivateKey(key))) {
    throw new Error('the key is not the key of the certificate');
  }
  // Also parses the rest of the chain.
  createSecureContext({ cert, key });
  return Date.parse(leaf.validTo);
}
