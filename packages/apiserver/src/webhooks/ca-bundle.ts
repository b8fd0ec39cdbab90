import { X509Certificate } from 'node:crypto';

const pemBlock = /-----BEGIN ([^-]+)-----\r?\n(.*?)-----END \1-----/gs;

/**
 * Tells why a bundle of certificates cannot be used, in the words of kube-apiserver's client: one certificate that can be
 * read is enough.
 *
 * @param text certificates in PEM, and any text around them; not empty
 * @returns undefined when it can be used
 */
export function problemOfBundle(text: string): string | undefined {
  const blocks = [...text.matchAll(pemBlock)];
  const certificates = blocks.filter(([, type]) => type === 'CERTIFICATE');
  if (certificates.some(([pem]) => isCertificate(pem))) return undefined;
  if (certificates.length > 0) return 'failed to parse certificate: x509: malformed certificate';
  return blocks.length === 0
    ? 'unable to parse bytes as PEM block'
    : 'no valid certificate authority data seen';
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).serialNumber !== '';
  } catch {
    return false;
  }
}
