import { describe, expect, test } from 'vitest';
import type { Bundle } from '../../../src/olm/bundle/bundle.ts';
import { runValidators } from '../../../src/olm/validate/run-validators.ts';
import { optionalValidators } from '../../../src/olm/validate/validators.ts';
import { annotationsFile, bundleFrom, csvFile, replaced, sampleFiles } from '../sample-bundle.ts';

const olmV1 = optionalValidators.filter(({ name }) => name === 'olmv1');

/** What keeps a version of OLM v1 from installing a bundle. */
function said(bundle: Bundle, version?: string): string[] {
  const values = version === undefined ? {} : { 'olm-v1-version': version };
  return runValidators(bundle, olmV1, { values })
    .findings.filter(({ validator }) => validator === 'olmv1')
    .map(({ value = '', file = '', detail }) => [value, file, detail].join(' | '));
}

const withWebhook = replaced(csvFile, [
  '  install:\n',
  `  webhookdefinitions:
    - {type: ValidatingAdmissionWebhook, generateName: v.tea.example.com, deploymentName: tea}
  install:\n`,
]);
const own = replaced(
  csvFile,
  ['AllNamespaces, supported: true', 'AllNamespaces, supported: false'],
  ['OwnNamespace, supported: false', 'OwnNamespace, supported: true'],
);

test('a bundle that OLM v1 installs', () => {
  expect(said(bundleFrom(sampleFiles))).toEqual([]);
});

describe('versions differ', () => {
  test.each([
    ['1.0.0', ['webhook v.tea.example.com']],
    ['v1.5.1', ['webhook v.tea.example.com']],
    ['1.6', []],
    ['1.99', []],
  ])('on webhooks: %s', (version, expected) => {
    expect(said(withWebhook, version).map((each) => each.split(' | ')[0])).toEqual(expected);
  });

  test.each([
    ['1.7', ['all-namespaces']],
    ['1.8.1', []],
    ['1.9', ['all-namespaces']],
  ])('on operators of their own namespace: %s', (version, expected) => {
    expect(said(own, version).map((each) => each.split(' | ')[0])).toEqual(expected);
  });

  test.each(['0.18', '2.0', 'newest', '1', '1.6.x'])('%s is not one', (version) => {
    expect(said(bundleFrom(sampleFiles), version)).toEqual([
      expect.stringContaining(`the option olm-v1-version is "${version}"`),
    ]);
  });
});

describe('dependencies', () => {
  test('in their file', () => {
    const bundle = bundleFrom({
      ...sampleFiles,
      'metadata/dependencies.yaml':
        'dependencies: [{type: olm.package, value: {packageName: water, version: ">1.0.0"}}]',
    });
    expect(said(bundle)).toEqual([
      expect.stringContaining('dependency olm.package.required |  | the bundle needs others'),
    ]);
  });

  test('as a required definition', () => {
    const bundle = replaced(csvFile, [
      '    owned:',
      '    required: [{name: cups.example.com, version: v1, kind: Cup}]\n    owned:',
    ]);
    expect(said(bundle)).toEqual([expect.stringContaining('dependency olm.gvk.required')]);
  });
});

test('every refusal is a finding, with its file, path and line', () => {
  const bundle = bundleFrom({
    ...sampleFiles,
    [annotationsFile]: sampleFiles[annotationsFile]!.replace(/.*package.*\n/, ''),
    [csvFile]: sampleFiles[csvFile]!.replace('- name: tea', '- name: Tea!').replace('true', 'false'),
  });
  const { findings } = runValidators(bundle, olmV1, { values: {} });
  expect(findings.filter(({ validator }) => validator === 'olmv1')).toEqual([
    expect.objectContaining({ value: 'all-namespaces', file: csvFile, path: 'spec.installModes' }),
    expect.objectContaining({
      value: 'deployment-name Tea!',
      path: 'spec.install.spec.deployments[0].name',
      line: sampleFiles[csvFile]!.split('\n').findIndex((line) => line.includes('- name: tea')) + 1,
    }),
    expect.objectContaining({ value: 'package', file: annotationsFile }),
  ]);
});

test('what OLM v0 can read and OLM v1 cannot', () => {
  expect(said(replaced(csvFile, ['displayName: Tea', 'displayName: yes']))).toEqual([
    expect.stringContaining(`unreadable | ${csvFile} | spec.displayName is true`),
  ]);
});
