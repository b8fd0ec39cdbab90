import { X509Certificate, createPrivateKey } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import type { CertificatePair } from 'ots-apimachinery/certificates/certificate-pair';

/**
 * Refuses what would break the handshakes of a server: a file that is only half written, or a key that is not the
 * certificate's, as between the two writes of a rotation. Dates are not looked at: an expired certificate is better
 * than none, and clients tell.
 * @returns until when the certificate is valid, in milliseconds since 1970.
 * @throws {Error} when the two cannot be served. The message says nothing of their contents.
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
