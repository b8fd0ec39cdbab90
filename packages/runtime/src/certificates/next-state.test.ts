import { X509Certificate } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { issueCertificate, makeAuthority } from './certificate-authority.ts';
import { type CertificateState, bundleOf, isSignedBy, stateOf, textsOf } from './certificate-state.ts';
import { type NextState, type NextStateInput, nextState } from './next-state.ts';

const day = 86_400_000;
const now = Date.UTC(2026, 5, 1);
const names = ['hook.ns.svc'];

function next(input: Partial<NextStateInput>): NextState {
  return nextState({ found: undefined, remembered: undefined, names, now, isTrusted: false, ...input });
}

const fresh = next({}).state;

/** A state whose parts were made some days ago and are valid for some days more. */
function aged(parts: { authority?: [number, number]; serving?: [number, number] }): CertificateState {
  const [old, left] = parts.authority ?? [1, 3649];
  const authority = makeAuthority({ notBefore: now - old * day, notAfter: now + left * day });
  const [servingOld, servingLeft] = parts.serving ?? [2, 363];
  const serving = issueCertificate(authority, names, {
    notBefore: now - servingOld * day,
    notAfter: now + servingLeft * day,
  });
  return { authority, retired: [], serving };
}

function validity(cert: string): [from: number, to: number] {
  const { validFrom, validTo } = new X509Certificate(cert);
  return [Date.parse(validFrom), Date.parse(validTo)];
}

describe('with no Secret', () => {
  test('an authority for ten years and a certificate for one are created, with a day for clocks that are behind', () => {
    expect(next({}).reason).toBe('there are no certificates yet');
    expect(validity(fresh.authority.cert)).toEqual([now - day, now + 3650 * day]);
    expect(validity(fresh.serving.cert)).toEqual([now - day, now + 365 * day]);
    expect(isSignedBy(fresh.serving.cert, fresh.authority.cert)).toBe(true);
    expect(fresh.retired).toEqual([]);
  });

  test('the remembered pair stays, with a new authority beside the old one', () => {
    const { state, reason } = next({ remembered: fresh });
    expect(reason).toBe('it was deleted or damaged');
    expect(state.serving).toEqual(fresh.serving);
    expect(state.authority).not.toEqual(fresh.authority);
    expect(state.retired).toEqual([fresh.authority.cert]);
  });
});

describe('renewal', () => {
  test.each([
    ['what is young is kept', { serving: [243, 122] }, undefined],
    [
      'a certificate is renewed after two thirds of its life',
      { serving: [244, 121] },
      'the certificate is due for renewal',
    ],
    ['an expired certificate is renewed', { serving: [400, -1] }, 'the certificate is due for renewal'],
    ['an authority is kept until then too', { authority: [2433, 1217] }, undefined],
    [
      'an authority is renewed after two thirds of its life',
      { authority: [2434, 1216] },
      'its authority is due for renewal',
    ],
    [
      'what another replica made just now, whose clock is ahead by less than a day, is kept',
      { serving: [0, 365] },
      undefined,
    ],
    [
      'a certificate that is not valid yet is renewed',
      { serving: [-1, 366] },
      'the certificate is due for renewal',
    ],
    [
      'an authority that is not valid yet is renewed',
      { authority: [-1, 3651], serving: [-1, 366] },
      'its authority is due for renewal',
    ],
  ] as const)('%s', (_, ages, reason) => {
    const found = aged(ages as never);
    const result = next({ found });
    expect(result.reason).toBe(reason);
    if (reason === undefined) expect(result.state).toEqual(found);
    else expect(result.state).not.toEqual(found);
  });

  test('missing names are added to the existing ones', () => {
    const { state, reason } = next({
      found: fresh,
      names: ['hook.ns.svc', '10.0.0.1', 'fd00::1', '*.example.com'],
    });
    expect(reason).toBe('the certificate lacks names to serve');
    // Old and new replicas of a rolling update must not renew in turn.
    expect(next({ found: state }).reason).toBeUndefined();
    const other = next({ found: state, names: ['fd00::1', 'other.ns.svc', '*.example.com'] });
    expect(
      next({ found: other.state, names: ['hook.ns.svc', '10.0.0.1', 'fd00::1'] }).reason,
    ).toBeUndefined();
    expect(new X509Certificate(other.state.serving.cert).subjectAltName).toContain('hook.ns.svc');
  });
});

describe('a new authority', () => {
  const old = aged({ authority: [2500, 1150] });
  const overlap = next({ found: old }).state;

  test('is trusted beside the old one before its first certificate is served', () => {
    expect(bundleOf(overlap)).toBe(overlap.authority.cert + old.authority.cert);
    expect(overlap.serving).toEqual(old.serving);
    expect(next({ found: overlap })).toEqual({ state: overlap, reason: undefined });
    const { state, reason } = next({ found: overlap, isTrusted: true });
    expect(reason).toBe('its authority has changed');
    expect(isSignedBy(state.serving.cert, overlap.authority.cert)).toBe(true);
    expect(state.retired).toEqual([old.authority.cert]);
  });

  test('signs at once when the served certificate has expired', () => {
    const expired = aged({ authority: [2500, 1150], serving: [400, -1] });
    const { state } = next({ found: expired });
    expect(isSignedBy(state.serving.cert, state.authority.cert)).toBe(true);
    const late = next({ found: overlap, now: now + 364 * day });
    expect(late.reason).toBe('its authority has changed');
  });

  test('replaces the old one a day after the certificate', () => {
    const { state } = next({ found: overlap, isTrusted: true });
    expect(next({ found: state, now: now + day - 1000 }).reason).toBeUndefined();
    const later = next({ found: state, now: now + day });
    expect(later.reason).toBe('an old authority is no longer needed');
    expect(later.state).toEqual({ ...state, retired: [] });
    expect(next({ found: later.state, now: now + day }).reason).toBeUndefined();
  });

  test('replaces a certificate of a replica whose clock was a month ahead, and then both agree', () => {
    const ahead = now + 30 * day;
    const { state: early } = next({ now: ahead });
    const { state } = next({ found: early });
    expect(isSignedBy(state.serving.cert, state.authority.cert)).toBe(true);
    expect(validity(state.serving.cert)[0]).toBe(now - day);
    for (const clock of [now, ahead])
      expect(next({ found: { ...state, retired: [] }, now: clock }).reason).toBeUndefined();
  });

  test('does not keep an authority that has expired', () => {
    const found = aged({ authority: [3651, -1], serving: [400, -35] });
    const { state } = next({ found });
    expect(state.retired).toEqual([]);
    expect(validity(state.serving.cert)[1]).toBe(now + 365 * day);
  });
});

describe('the texts of a Secret', () => {
  test('round-trip the state', () => {
    const overlap = next({ remembered: fresh }).state;
    expect(stateOf(textsOf(overlap))).toEqual(overlap);
  });

  test.each([
    ['nothing', {}],
    ['half a certificate', { 'tls.crt': fresh.serving.cert.slice(0, 200) }],
    [
      'no end of the last certificate',
      { 'tls.crt': `${fresh.serving.cert}-----BEGIN CERTIFICATE-----\nMIIB` },
    ],
    ['the key of another', { 'tls.key': fresh.authority.key }],
    ['no key of the authority', { 'ca.key': '' }],
    ['another authority', { 'ca.crt': next({}).state.authority.cert }],
    ['an authority that did not sign', textsOf({ ...next({}).state, serving: fresh.serving })],
    ['garbage', { 'ca.crt': '\0\u{1f600}', 'ca.key': '{}' }],
  ])('contain no state if they are damaged: %s', (what, damage) => {
    const texts = what === 'nothing' ? {} : { ...textsOf(fresh), ...damage };
    expect(stateOf(texts)).toBeUndefined();
  });
});
