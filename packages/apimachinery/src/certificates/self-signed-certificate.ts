import { generateKeyPairSync } from 'node:crypto';
import type { CertificatePair } from './certificate-pair.ts';
import { keyPem, signCertificate } from './x509.ts';

export interface SelfSignedOptions {
  /** The DNS names and IP addresses to certify; at least one. */
  names: readonly string[];
  /** The common name; the first of the names by default. */
  subject?: string;
  /** When the certificate begins to be valid; now by default. */
  notBefore?: Date;
  /** When it stops being valid; ten years later by default. */
  notAfter?: Date;
  /** Whether clients may trust it as an authority; false by default. */
  isAuthority?: boolean;
}

const validYears = 10;

/** Creates a certificate for a TLS server, signed with its own P-256 key (RFC 5280). */
export function selfSignedCertificate({
  names,
  subject = names[0] ?? '',
  notBefore = new Date(),
  notAfter = yearsAfter(notBefore, validYears),
  isAuthority = false,
}: SelfSignedOptions): CertificatePair {
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { publicKey } = pair;
  const cert = signCertificate({
    subject,
    publicKey,
    issuer: subject,
    issuerKey: pair,
    notBefore,
    notAfter,
    names,
    isAuthority,
  });
  return { cert, key: keyPem(pair.privateKey) };
}

function yearsAfter(date: Date, years: number): Date {
  const later = new Date(date);
  later.setUTCFullYear(later.getUTCFullYear() + years);
  return later;
}
