import { generateKeyPairSync } from 'node:crypto';
import type { CertificatePair } from './certificate-pair.ts';
import { keyPem } from './key-pem.ts';
import { signCertificate } from './x509.ts';

export interface SelfSignedOptions {
  /** The DNS names and IP addresses to serve; the first one is the common name too. */
  names: [string, ...string[]];
  /** When the certificate begins to be valid; now by default. It is valid for ten years. */
  notBefore?: Date;
}

const validYears = 10;

/** A certificate for a TLS server, signed with its own P-256 key (RFC 5280). */
export function selfSignedCertificate({ names, notBefore = new Date() }: SelfSignedOptions): CertificatePair {
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const notAfter = new Date(notBefore);
  notAfter.setUTCFullYear(notAfter.getUTCFullYear() + validYears);
  const [subject] = names;
  const { publicKey } = pair;
  const cert = signCertificate({
    subject,
    publicKey,
    issuer: subject,
    issuerKey: pair,
    notBefore,
    notAfter,
    names,
  });
  return { cert, key: keyPem(pair.privateKey) };
}
