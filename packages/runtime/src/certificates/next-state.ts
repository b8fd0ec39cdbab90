import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import type { CertificatePair } from 'ots-apimachinery/certificates/certificate-pair';
import { type Validity, issueCertificate, makeAuthority } from './certificate-authority.ts';
import { type CertificateState, isSignedBy } from './certificate-state.ts';

export interface NextStateInput {
  /** The state in the Secret; undefined when it is missing or damaged. */
  found: CertificateState | undefined;
  /** The last valid state of the Secret that this replica has read. */
  remembered: CertificateState | undefined;
  /** The DNS names and IP addresses to serve. */
  names: readonly string[];
  /** The current time, in milliseconds since 1970. */
  now: number;
  /** True when every API server has had time to learn of the authority, so replicas may serve what it signs. */
  isTrusted: boolean;
}

export interface NextState {
  state: CertificateState;
  /** Why the Secret must be written; undefined when it is up to date. */
  reason: string | undefined;
}

const day = 86_400_000;
const authorityLife = 3650 * day;
const certificateLife = 365 * day;
/** The fraction of its lifetime after which a certificate is renewed, as in cert-manager. */
const renewAfter = 2 / 3;
/** Certificates become valid in the past, for API servers and replicas whose clocks are behind, even by a time zone. */
const backdating = day;
/**
 * How long an authority stays trusted after it stops signing: longer than any replica goes without reading the Secret.
 */
const retirement = day;

/** Decides the next state of the Secret. One step at a time: the next check takes the next step. */
export function nextState(input: NextStateInput): NextState {
  const { found, remembered, names, now, isTrusted } = input;
  if (!found) return replaceLost(remembered, names, now);
  const { authority, serving } = found;
  if (isDue(authority.cert, now)) {
    return { state: renewAuthority(found, names, now), reason: 'its authority is due for renewal' };
  }
  const isCurrent = isSignedBy(serving.cert, authority.cert);
  if (!isCurrent && (isTrusted || !isValid(serving.cert, now))) {
    return { state: renewServing(found, names, now), reason: 'its authority has changed' };
  }
  if (!isCurrent) return { state: found, reason: undefined };
  if (isDue(serving.cert, now)) {
    return { state: renewServing(found, names, now), reason: 'the certificate is due for renewal' };
  }
  if (missingNames(serving.cert, names).length > 0) {
    // Existing names stay: in a rolling update the old replicas need them, and would add them again.
    const all = new Set([...names, ...namesOf(serving.cert)]);
    return { state: renewServing(found, [...all], now), reason: 'the certificate lacks names to serve' };
  }
  const retired = found.retired.filter((cert) => !isOver(cert, now));
  const kept = issuedAt(serving.cert) + retirement > now ? retired : [];
  const reason = kept.length < found.retired.length ? 'an old authority is no longer needed' : undefined;
  return { state: { ...found, retired: kept }, reason };
}

/** Deleting the Secret requests new certificates. The served pair stays until the new authority is trusted. */
function replaceLost(
  remembered: CertificateState | undefined,
  names: readonly string[],
  now: number,
): NextState {
  if (remembered) {
    return { state: renewAuthority(remembered, names, now), reason: 'it was deleted or damaged' };
  }
  const authority = makeAuthority(validity(now, authorityLife));
  const serving = issueCertificate(authority, names, validity(now, certificateLife));
  return { state: { authority, retired: [], serving }, reason: 'there are no certificates yet' };
}

function renewAuthority(state: CertificateState, names: readonly string[], now: number): CertificateState {
  const retired = [state.authority.cert, ...state.retired].filter((cert) => !isOver(cert, now));
  const renewed = { ...state, authority: makeAuthority(validity(now, authorityLife)), retired };
  return isValid(state.serving.cert, now) ? renewed : renewServing(renewed, names, now);
}

function renewServing(state: CertificateState, names: readonly string[], now: number): CertificateState {
  const serving: CertificatePair = issueCertificate(state.authority, names, validity(now, certificateLife));
  return { ...state, serving };
}

function validity(now: number, life: number): Validity {
  return { notBefore: now - backdating, notAfter: now + life };
}

/**
 * A certificate that is not valid yet is also due: a replica whose clock was ahead by more than the backdating issued
 * it, no API server accepts it, and nothing else would ever replace it.
 */
function isDue(cert: string, now: number): boolean {
  const { validFrom, validTo } = new X509Certificate(cert);
  const start = Date.parse(validFrom);
  return now < start || now >= start + renewAfter * (Date.parse(validTo) - start);
}

function isValid(cert: string, now: number): boolean {
  return now >= Date.parse(new X509Certificate(cert).validFrom) && !isOver(cert, now);
}

function isOver(cert: string, now: number): boolean {
  return now >= Date.parse(new X509Certificate(cert).validTo);
}

function issuedAt(cert: string): number {
  return Date.parse(new X509Certificate(cert).validFrom) + backdating;
}

function missingNames(cert: string, names: readonly string[]): string[] {
  const certificate = new X509Certificate(cert);
  const served = namesOf(cert);
  return names.filter((name) =>
    isIP(name) === 0 ? !served.includes(name) : certificate.checkIP(name) === undefined,
  );
}

function namesOf(cert: string): string[] {
  const names = new X509Certificate(cert).subjectAltName?.split(', ') ?? [];
  return names.map((name) => name.replace(/^(?:DNS|IP Address):/, ''));
}
