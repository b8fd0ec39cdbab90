import {
  type KeyObject,
  X509Certificate,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
} from 'node:crypto';
import type { CertificatePair } from 'ots-apimachinery/certificates/certificate-pair';
import {
  type NameAttribute,
  clientAuth,
  commonNameType,
  keyPem,
  organizationType,
  signCertificate,
  userUidType,
} from 'ots-apimachinery/certificates/x509';
import { oneYear } from './one-year.ts';

const authorityName = 'ots-client-ca';

/** Whom a client certificate is for. */
export interface CertifiedUser {
  readonly name: string;
  readonly groups?: readonly string[];
  readonly uid?: string;
}

/** Creates the authority of client certificates, valid for one year. It signs no other authorities. */
export function createClientAuthority(now: Date): CertificatePair {
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const cert = signCertificate({
    subject: authorityName,
    publicKey: pair.publicKey,
    issuer: authorityName,
    issuerKey: pair,
    ...oneYear(now),
    isAuthority: true,
  });
  return { cert, key: keyPem(pair.privateKey) };
}

/**
 * Issues the certificate of a client: its common name is the user, its organizations are the groups.
 *
 * @param authority from {@link createClientAuthority}, or another one in PEM
 * @param now the certificate is valid for one year from then on
 */
export function issueClientCertificate(
  authority: CertificatePair,
  { name, groups = [], uid }: CertifiedUser,
  now: Date,
): CertificatePair {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const subject: NameAttribute[] = [
    ...groups.map((group) => [organizationType, group] as const),
    [commonNameType, name],
    ...(uid === undefined ? [] : [[userUidType, uid] as const]),
  ];
  const cert = signCertificate({
    subject,
    publicKey,
    ...signerOf(authority),
    ...oneYear(now),
    purposes: [clientAuth],
  });
  return { cert, key: keyPem(privateKey) };
}

/** The name and the key of an authority, as those who sign need them. */
export function signerOf({ cert, key }: CertificatePair): {
  issuer: string;
  issuerKey: { publicKey: KeyObject; privateKey: KeyObject };
} {
  const privateKey = createPrivateKey(key);
  const issuer = new X509Certificate(cert).subject.replace(/^CN=/, '');
  return { issuer, issuerKey: { privateKey, publicKey: createPublicKey(privateKey) } };
}
