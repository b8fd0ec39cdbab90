import { expect, test } from 'vitest';
import { compareVersions, isInRange } from './versions.ts';

test.each([
  ['1.0.0', '1.0.1', -1],
  ['1.10.0', '1.9.9', 1],
  ['v1.0.0', '1.0.0+build', 0],
  ['1.0.0-rc.1', '1.0.0', -1],
  ['1.0.0-rc.2', '1.0.0-rc.10', -1],
  ['1.0.0-1', '1.0.0-a', -1],
])('%s compared with %s', (left, right, expected) => {
  expect(Math.sign(compareVersions(left, right))).toBe(expected);
});

test.each([
  ['1.2.3', '>=1.0.0 <2.0.0', true],
  ['2.0.0', '>=1.0.0 <2.0.0', false],
  ['2.0.0', '<1.0.0 || >=2.0.0', true],
  ['1.2.3', '1.2.3', true],
  ['1.2.3', '!=1.2.3', false],
  ['1.2.9', '~1.2.3', true],
  ['1.3.0', '~1.2.3', false],
  ['1.9.0', '~1', true],
  ['1.9.0', '^1.2.3', true],
  ['0.3.0', '^0.2.3', false],
  ['1.5.0', '1.x', true],
  ['1.5.0', '1.4', false],
  ['1.5.0', '1.0.0 - 2.0.0', true],
  ['1.5.0', '> 1.4, < 1.6', true],
  ['2.0.0-rc.1', '>=1.0.0 <2.0.0-0', false],
  ['1.0.0', 'nonsense', false],
])('%s in %s: %s', (version, range, expected) => {
  expect(isInRange(version, range)).toBe(expected);
});
