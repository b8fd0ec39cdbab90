import { X509Certificate, createPrivateKey } from 'node:crypto';
import type { CertificatePair } from 'ots-apimachinery/certificates/certificate-pair';

/**
 * Returns the text that an earlier process kept under a name, or keeps a new one.
 *
 * @param create makes the new text
 * @param isCurrent whether a kept text is still of use; throws if it is damaged
 */
export type Keep = (name: string, create: () => string, isCurrent: (text: string) => boolean) => string;

/** Keeps nothing. */
export const keepNothing: Keep = (_, create) => create();

const beginningOfKey = '-----BEGIN PRIVATE KEY-----';

/**
 * Keeps a certificate and its key.
 *
 * @param isCurrent whether a kept certificate is still of use
 */
export function keepPair(
  keep: Keep,
  name: string,
  create: () => CertificatePair,
  isCurrent: (certificate: X509Certificate) => boolean,
): CertificatePair {
  const text = keep(
    name,
    () => {
      const { cert, key } = create();
      return `${cert.trimEnd()}\n${key}`;
    },
    (kept) => {
      const certificate = new X509Certificate(kept);
      if (!certificate.checkPrivateKey(createPrivateKey(kept)))
        throw new Error('the key is that of another certificate');
      return isCurrent(certificate);
    },
  );
  const at = text.indexOf(beginningOfKey);
  return { cert: text.slice(0, at), key: text.slice(at) };
}
