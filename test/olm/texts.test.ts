import { describe, expect, test } from 'vitest';
import { imageProblem } from '../../src/images/image-problem.ts';
import { isMailAddress } from '../../src/olm/validate/mail-address.ts';
import { isSemverRange } from '../../src/olm/versions/semver-range.ts';
import {
  compareSemver,
  formatSemver,
  parseSemver,
  parseTolerantSemver,
} from '../../src/olm/versions/semver.ts';

describe('versions', () => {
  test.each([
    '1.2.3',
    '0.0.0',
    '1.2.3-rc.1',
    '1.2.3-0a.-',
    '1.2.3+b.01',
    '1.2.3-a+b',
    '18446744073709551615.0.0',
  ])('%s is one', (text) => {
    expect(formatSemver(parseSemver(text)!)).toBe(text);
  });

  test.each([
    '',
    '1',
    '1.2',
    'v1.2.3',
    '01.2.3',
    '1.2.3-',
    '1.2.3-01',
    '1.2.3+',
    '1.2.3-a_b',
    '1.2.3.4',
    '18446744073709551616.0.0',
    ' 1.2.3',
  ])('%j is not one', (text) => {
    expect(parseSemver(text)).toBeUndefined();
  });

  test.each([
    ['1', '1.0.0'],
    ['v1.2', '1.2.0'],
    [' 01.002.3 ', '1.2.3'],
    ['1.2.3-rc.1', '1.2.3-rc.1'],
  ])('%j is read as %s', (text, version) => {
    expect(formatSemver(parseTolerantSemver(text)!)).toBe(version);
  });

  test.each(['', 'v', '1-rc', '1.2+b', 'one', '1..2'])('%j cannot be read', (text) => {
    expect(parseTolerantSemver(text)).toBeUndefined();
  });

  test('are ordered by precedence', () => {
    const ordered = [
      '0.9.9',
      '1.0.0-1',
      '1.0.0-2',
      '1.0.0-10',
      '1.0.0-a',
      '1.0.0-a.1',
      '1.0.0-b',
      '1.0.0',
      '1.0.1',
      '1.10.0',
      '2.0.0',
    ];
    const shuffled = ordered.toReversed().map((text) => parseSemver(text)!);
    expect(shuffled.toSorted(compareSemver).map(formatSemver)).toEqual(ordered);
  });
});

describe('ranges of versions', () => {
  test.each([
    '1.0.0',
    '>=1.0.0',
    '>= 1.0.0 <2.0.0',
    '<1.0.0 || >=2.0.0',
    '!=1.2.3',
    '1.x',
    '1.2.x',
    '>=1.x.x',
  ])('%j is one', (text) => {
    expect(isSemverRange(text)).toBe(true);
  });

  test.each([
    '',
    'one',
    '~1.2',
    '^1.2.3',
    '1.2',
    '|| 1.0.0',
    '1.0.0 ||',
    '>=one',
    '=>1.0.0',
    '1.0.0 - 2.0.0x',
  ])('%j is not one', (text) => {
    expect(isSemverRange(text)).toBe(false);
  });
});

describe('mail addresses', () => {
  test.each([
    'a@b',
    'a.b@example.com',
    'Ada <a@b>',
    '"Ada B" <a@b>',
    '<a@b>',
    '"a b"@c',
    'a@[127.0.0.1]',
    'a@b (Ada)',
    'ä@b',
    'x:a@b;',
    ' a@b ',
  ])('%j is one', (text) => {
    expect(isMailAddress(text)).toBe(true);
  });

  test.each([
    '',
    'a',
    '@b',
    'a@',
    'a b@c',
    'a@b, c@d',
    '.a@b',
    'a..b@c',
    'a@b.',
    '<a@b',
    'Ada a@b',
    '""@b',
    'a@b c',
    'a@[tea]',
    'a@b\n',
  ])('%j is not one', (text) => {
    expect(isMailAddress(text)).toBe(false);
  });
});

describe('references of images', () => {
  const sha = 'a'.repeat(64);
  test.each([
    'a',
    'a/b:c',
    'A/b',
    'example.com/a',
    'localhost/a',
    'example.com:5000/a-b/c__d.e:V1',
    `a@sha256:${sha}`,
    `a:b@sha256:${sha}`,
    '[::1]:5000/a',
  ])('%s is one', (text) => {
    expect(imageProblem(text)).toBeUndefined();
  });

  test.each([
    '',
    ' ',
    'a/B',
    'a:',
    'a::b',
    'https://a/b',
    'a@sha256:abc',
    `a@sha256:${'A'.repeat(64)}`,
    `a@md5:${sha}`,
    sha,
    `${'a/'.repeat(130)}a`,
    '-a',
    'a_-b',
    'a'.repeat(2000),
  ])('%j is not one', (text) => {
    expect(imageProblem(text)).toBeTypeOf('string');
  });
});
