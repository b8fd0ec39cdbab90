import { expect, test } from 'vitest';
import { upgradeProblem } from '../../../src/olm/cluster/upgrade-problem.ts';
import { isInSemverRange } from '../../../src/olm/versions/in-semver-range.ts';
import { csvFile, replaced } from '../sample-bundle.ts';

const installed = { name: 'tea.v1.0.0', version: '1.0.0' };

test.each([
  ['spec.replaces', 'spec:\n  replaces: tea.v1.0.0'],
  ['spec.skips', 'spec:\n  skips: [tea.v0.9.0, tea.v1.0.0]'],
])('%s upgrades the version that is installed', (_, text) => {
  expect(upgradeProblem(replaced(csvFile, ['spec:', text]), installed)).toBeUndefined();
});

test('a version in olm.skipRange is upgraded, others are not', () => {
  const bundle = replaced(csvFile, ['annotations:', `annotations:\n    olm.skipRange: '>=1.0.0 <1.2.3'`]);
  expect(upgradeProblem(bundle, installed)).toBeUndefined();
  expect(upgradeProblem(bundle, { name: 'tea.v0.1.0', version: '0.1.0' })).toMatchObject({
    problem: 'tea.v1.2.3 does not upgrade tea.v0.1.0, which is installed',
    hint: 'Set spec.replaces: tea.v0.1.0 in its ClusterServiceVersion, or add it to spec.skips or to the annotation olm.skipRange.',
  });
});

test('a bundle does not upgrade itself', () => {
  expect(upgradeProblem(replaced(csvFile), { name: 'tea.v1.2.3', version: '1.2.3' })?.problem).toBe(
    'tea.v1.2.3 is already installed',
  );
});

test.each([
  ['1.2.3', '1.2.3', true],
  ['1.2.3', '=1.2.3', true],
  ['1.2.4', '==1.2.3', false],
  ['1.2.3', '!=1.2.3', false],
  ['1.2.4', '!1.2.3', true],
  ['1.2.3', '>1.2.3', false],
  ['1.2.3', '>=1.2.3', true],
  ['1.2.3', '<1.2.3', false],
  ['1.2.3', '<=1.2.3', true],
  ['1.5.0', '>=1.0.0 <2.0.0', true],
  ['2.0.0', '>=1.0.0 <2.0.0', false],
  ['2.0.0', '>= 1.0.0 < 2.0.0', false],
  ['3.1.0', '<1.0.0 || >=3.0.0', true],
  ['2.1.0', '<1.0.0 || >=3.0.0', false],
  ['1.4.9', '1.x', true],
  ['2.0.0', '1.x', false],
  ['1.4.9', '1.4.x', true],
  ['1.5.0', '1.4.x', false],
  ['1.4.9', '>1.4.x', false],
  ['1.5.0', '>1.4.x', true],
  ['1.4.9', '<=1.4.x', true],
  ['1.3.0', '<1.4.x', true],
  ['1.4.0-rc.1', '<1.4.0', true],
  ['1.0.0', '~1.0.0', false],
  ['1.0.0', '', false],
  ['one', '>0.1.0', false],
])('%s in %s: %s', (version, range, expected) => {
  expect(isInSemverRange(version, range)).toBe(expected);
});
