import { X509Certificate } from 'node:crypto';
import type { CertificatePair } from 'ots-apimachinery/certificates/certificate-pair';
import { clientAuth, serverAuth, signRequested } from 'ots-apimachinery/certificates/x509';
import type { CertificateSigningRequestSpec } from 'ots-kubernetes/certificates/v1';
import { readRequest } from '../built-in/cluster/certificates/certificate-request.ts';
import { signerOf } from '../tls/client-authority.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** The limits of kube-controller-manager: its `--cluster-signing-duration`, and what its signer takes for short. */
const maxLifetimeMs = 365 * 24 * hourMs;
const minLifetimeMs = 10 * minuteMs;
const shortLifetimeMs = 8 * hourMs;
const backdatedMs = 5 * minuteMs;

/** Bits of the key usage. */
const keyUsages: Readonly<Record<string, number>> = { 'digital signature': 0x80, 'key encipherment': 0x20 };
const purposes: Readonly<Record<string, string>> = { 'client auth': clientAuth, 'server auth': serverAuth };

/**
 * Issues the certificate that an approved request asks for.
 *
 * @param authority signs it; the certificate does not outlive it
 * @returns the certificate in PEM
 * @throws {Error} when the authority has expired
 */
export function issueRequested(
  authority: CertificatePair,
  { request, usages = [], expirationSeconds }: CertificateSigningRequestSpec,
  now: Date,
): string {
  const authorityEnds = Date.parse(new X509Certificate(authority.cert).validTo);
  if (now.getTime() >= authorityEnds) throw new Error('the authority of client certificates has expired');
  const asked = expirationSeconds === undefined ? maxLifetimeMs : expirationSeconds * 1000;
  const lifetime = Math.max(Math.min(asked, maxLifetimeMs), minLifetimeMs);
  const end = now.getTime() + lifetime - (lifetime < shortLifetimeMs ? 0 : backdatedMs);
  return signRequested({
    ...readRequest(Buffer.from(request, 'base64')),
    ...signerOf(authority),
    notBefore: new Date(now.getTime() - backdatedMs),
    notAfter: new Date(Math.min(end, authorityEnds)),
    keyUsage: usages.reduce((bits, usage) => bits | (keyUsages[usage] ?? 0), 0),
    purposes: usages.flatMap((usage) => purposes[usage] ?? []),
  });
}
