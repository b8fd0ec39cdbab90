import { describe, expect, test } from 'vitest';
import {
  dns1035Label,
  dnsLabel,
  isDns1035Label,
  isDnsLabel,
  isLabelValue,
  isQualifiedName,
  isSubdomain,
  labelValue,
  pathSegment,
  qualifiedName,
  subdomain,
} from './names.ts';

const a64 = 'a'.repeat(64);
const a254 = 'a'.repeat(254);

const texts = [
  'a',
  'A',
  '0',
  'a-b',
  '-a',
  'a-',
  'a.b',
  'a..b',
  'a_b',
  'x/y',
  '/y',
  'x/',
  'x/y/z',
  '',
  'é',
  'a\n',
];

describe('a predicate and its rule agree', () => {
  test.each([...texts, a64, a254, a64.slice(1), a254.slice(1), `${a254}/x`, `x/${a64}`])('%j', (text) => {
    expect(isDnsLabel(text)).toBe(dnsLabel(text).length === 0);
    expect(isDns1035Label(text)).toBe(dns1035Label(text).length === 0);
    expect(isSubdomain(text)).toBe(subdomain(text).length === 0);
    expect(isQualifiedName(text)).toBe(qualifiedName(text).length === 0);
    expect(isLabelValue(text)).toBe(labelValue(text).length === 0);
  });
});

// What kube-apiserver 1.36 says when a rule of a custom resource calls `format.<name>().validate(…)`.
describe('problems are those of kube-apiserver', () => {
  test('a name that is too long', () => {
    expect(dnsLabel(a64)).toEqual(['must be no more than 63 characters']);
    expect(dns1035Label(a64)).toEqual(['must be no more than 63 characters']);
    expect(subdomain(a254)).toEqual(['must be no more than 253 characters']);
    expect(labelValue(a64)).toEqual(['must be no more than 63 bytes']);
    expect(qualifiedName(a64)).toEqual(['name part must be no more than 63 bytes']);
    expect(qualifiedName(`x/${a64}`)).toEqual(['name part must be no more than 63 bytes']);
    expect(qualifiedName(`${a254}/x`)).toEqual(['prefix part must be no more than 253 bytes']);
  });

  test('lengths are counted in bytes', () => {
    expect(dnsLabel('é'.repeat(32))[0]).toBe('must be no more than 63 characters');
    expect(labelValue('é'.repeat(32))[0]).toBe('must be no more than 63 bytes');
    expect(labelValue('é'.repeat(31))).toHaveLength(1);
  });

  test('a label with dots', () => {
    expect(dnsLabel('a.b')).toEqual(['must not contain dots']);
    expect(dnsLabel('a..b')).toEqual([
      "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
    ]);
  });

  test('a qualified name without a part', () => {
    const name =
      "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
    expect(qualifiedName('')).toEqual(['name part must be non-empty', name]);
    expect(qualifiedName('x/')).toEqual(['name part must be non-empty', name]);
    expect(qualifiedName('/y')).toEqual(['prefix part must be non-empty']);
  });

  test('a qualified name with two slashes', () => {
    expect(qualifiedName('a/b/c')).toEqual([
      "a valid label key must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')",
    ]);
  });

  test('a path segment', () => {
    expect(pathSegment('..')).toEqual(["may not be '..'"]);
    expect(pathSegment('a/b%')).toEqual(["may not contain '/'", "may not contain '%'"]);
    expect(pathSegment('system:node')).toEqual([]);
  });
});

test('a part of a name may have its own limit', () => {
  expect(isDnsLabel(a64, 100)).toBe(true);
  expect(isDnsLabel(a64.slice(1), 52)).toBe(false);
});
