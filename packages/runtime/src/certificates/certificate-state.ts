import { X509Certificate, createPrivateKey } from 'node:crypto';
import type { CertificatePair } from 'ots-apimachinery/certificates/certificate-pair';
import { checkPair } from './check-pair.ts';

/** What the replicas of an operator share: the signing authority, the trusted authorities, and the pair to serve. */
export interface CertificateState {
  /** Signs serving certificates. */
  authority: CertificatePair;
  /** Certificates of earlier authorities, PEM, that stay trusted for some time. */
  retired: readonly string[];
  /** The pair to serve, signed by the authority or by a retired one. */
  serving: CertificatePair;
}

/** The keys of the Secret and their values, as text. */
export type SecretTexts = Partial<Record<'tls.crt' | 'tls.key' | 'ca.crt' | 'ca.key', string>>;

/** Returns all authorities to trust, PEM: the current one first. */
export function bundleOf({ authority, retired }: CertificateState): string {
  return [authority.cert, ...retired].join('');
}

export function textsOf(state: CertificateState): Required<SecretTexts> {
  const { serving, authority } = state;
  return {
    'tls.crt': serving.cert,
    'tls.key': serving.key,
    'ca.crt': bundleOf(state),
    'ca.key': authority.key,
  };
}

/** Parses the state in the Secret; undefined when it is damaged or its parts do not match. */
export function stateOf(texts: SecretTexts): CertificateState | undefined {
  const {
    'tls.crt': cert = '',
    'tls.key': key = '',
    'ca.crt': bundle = '',
    'ca.key': authorityKey = '',
  } = texts;
  try {
    checkPair({ cert, key });
    const [current, ...retired] = certificatesIn(bundle);
    if (current === undefined) return undefined;
    if (!new X509Certificate(current).checkPrivateKey(createPrivateKey(authorityKey))) return undefined;
    const state = { authority: { cert: current, key: authorityKey }, retired, serving: { cert, key } };
    return [current, ...retired].some((signer) => isSignedBy(cert, signer)) ? state : undefined;
  } catch {
    return undefined;
  }
}

/** Returns true when the authority signed the certificate; both are PEM. */
export function isSignedBy(cert: string, authority: string): boolean {
  const issuer = new X509Certificate(authority);
  const certificate = new X509Certificate(cert);
  return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
}

function certificatesIn(bundle: string): string[] {
  const found = bundle.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  return found.map((cert) => `${cert}\n`);
}
