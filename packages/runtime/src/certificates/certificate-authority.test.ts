import { X509Certificate } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { issueCertificate, makeAuthority } from './certificate-authority.ts';
import { isSignedBy } from './certificate-state.ts';

const from = Date.UTC(2026, 0, 1);
const until = Date.UTC(2036, 0, 1);
const authority = makeAuthority({ notBefore: from, notAfter: until });

describe('an authority', () => {
  test('signs certificates and nothing else, and is unique', () => {
    const parsed = new X509Certificate(authority.cert);
    expect(parsed.ca).toBe(true);
    expect(parsed.checkIssued(parsed)).toBe(true);
    expect(parsed.verify(parsed.publicKey)).toBe(true);
    expect(parsed.subjectAltName).toBeUndefined();
    expect(Date.parse(parsed.validFrom)).toBe(from);
    expect(Date.parse(parsed.validTo)).toBe(until);
    const other = new X509Certificate(makeAuthority({ notBefore: from, notAfter: until }).cert);
    expect(other.subject).not.toBe(parsed.subject);
    expect(other.serialNumber).not.toBe(parsed.serialNumber);
  });

  test('issues certificates for names and addresses', () => {
    const { cert, key } = issueCertificate(authority, ['hook.ns.svc', '10.0.0.1', 'fd00::1'], {
      notBefore: from,
      notAfter: Date.UTC(2027, 0, 1),
    });
    const parsed = new X509Certificate(cert);
    expect(parsed.ca).toBe(false);
    expect(parsed.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1']);
    expect(parsed.checkHost('hook.ns.svc')).toBe('hook.ns.svc');
    expect(parsed.checkHost('other.ns.svc')).toBeUndefined();
    expect(parsed.checkIP('10.0.0.1')).toBe('10.0.0.1');
    expect(parsed.checkIP('fd00::1')).toBe('fd00::1');
    expect(isSignedBy(cert, authority.cert)).toBe(true);
    expect(isSignedBy(cert, makeAuthority({ notBefore: from, notAfter: until }).cert)).toBe(false);
    expect(key).toContain('BEGIN PRIVATE KEY');
  });

  test('is not outlived by its certificates', () => {
    const { cert } = issueCertificate(authority, ['a'], { notBefore: from, notAfter: Date.UTC(2040, 0, 1) });
    expect(Date.parse(new X509Certificate(cert).validTo)).toBe(until);
  });

  test('names longer than a common name are still covered', () => {
    const long = `${'a'.repeat(60)}.${'b'.repeat(60)}.svc`;
    const { cert } = issueCertificate(authority, [long], { notBefore: from, notAfter: until });
    const parsed = new X509Certificate(cert);
    expect(parsed.checkHost(long)).toBe(long);
    expect(parsed.subject).toHaveLength('CN='.length + 64);
  });
});
