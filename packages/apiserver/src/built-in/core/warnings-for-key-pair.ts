import { X509Certificate, createPrivateKey } from 'node:crypto';

/** Warns about a certificate and key that are invalid or do not match. Both are in base64. */
export function warningsForKeyPair(certificate = '', key = ''): string[] {
  const [certificateText, keyText] = [certificate, key].map((text) => Buffer.from(text, 'base64').toString());
  if (!hasPem(certificateText)) return ['tls: failed to find any PEM data in certificate input'];
  if (!hasPem(keyText)) return ['tls: failed to find any PEM data in key input'];
  try {
    const isPair = new X509Certificate(certificateText).checkPrivateKey(createPrivateKey(keyText));
    return isPair ? [] : ['tls: private key does not match public key'];
  } catch {
    // Go words other errors differently.
    return [];
  }
}

function hasPem(text = ''): text is string {
  const begin = text.search(/-----BEGIN [^-]+-----/);
  return begin !== -1 && text.includes('-----END ', begin);
}
