import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Bundle } from '../../../src/olm/bundle/bundle.ts';
import { builtInTests } from '../../../src/olm/scorecard/built-in-tests.ts';
import { runBuiltIn, isBuiltIn } from '../../../src/olm/scorecard/run-built-in.ts';
import { annotationsFile, bundleFrom, crdFile, csvFile, sampleFiles } from '../sample-bundle.ts';

const example = (fields: string, apiVersion = 'tea.example.com/v1', kind = 'Pot') =>
  `{"apiVersion": "${apiVersion}", "kind": "${kind}", "metadata": {"name": "a"}${fields}}`;

/** The sample with examples and with more about its kind. */
function withExamples(examples: string, owned = ''): Bundle {
  const csv = sampleFiles[csvFile]!.replace(/alm-examples: .*/, () => `alm-examples: '${examples}'`).replace(
    'kind: Pot, description',
    () => `kind: Pot, ${owned}description`,
  );
  const crd = sampleFiles[crdFile]!.replace(
    'openAPIV3Schema: {type: object}',
    `openAPIV3Schema:
          type: object
          properties:
            spec: {type: object, properties: {leaves: {type: integer}, water: {type: object}}}
            status: {type: object, properties: {hot: {type: boolean}}}`,
  );
  return bundleFrom({ ...sampleFiles, [csvFile]: csv, [crdFile]: crd });
}

const descriptors = 'specDescriptors: [{path: leaves}, {path: water.liters}], ';

/** State, errors and suggestions of a test. */
function said(name: string, bundle: Bundle): string[] {
  const { state, errors, suggestions } = builtInTests.get(name)!(bundle);
  return [state, ...errors.map((each) => `error: ${each}`), ...suggestions];
}

describe.each<[name: string, cases: readonly (readonly [title: string, Bundle, ...expected: string[]])[]]>([
  [
    'basic-check-spec',
    [
      ['examples with a spec', withExamples(`[${example(', "spec": {}')}]`), 'pass'],
      [
        'no annotation',
        bundleFrom({ ...sampleFiles, [csvFile]: sampleFiles[csvFile]!.replace(/ {4}alm-ex.*\n/, '') }),
        'pass',
      ],
      [
        'an example without a spec',
        withExamples(`[${example('')}, ${example('')}]`),
        'pass',
        'the example [a] has no spec',
      ],
      [
        'a spec that is null',
        withExamples(`[${example(', "spec": null')}]`),
        'pass',
        'the example [a] has no spec',
      ],
      ['broken JSON', withExamples('[{'), 'fail', 'error: metadata.annotations[alm-examples] is not JSON'],
    ],
  ],
  [
    'olm-bundle-validation',
    [
      ['a valid bundle', bundleFrom(sampleFiles), 'pass'],
      [
        'a warning',
        bundleFrom({
          ...sampleFiles,
          [csvFile]: sampleFiles[csvFile]!.replace('  minKubeVersion: 1.28.0\n', ''),
        }),
        'pass',
        'Warning: Value : (tea.v1.2.3) spec.minKubeVersion is missing',
      ],
      [
        'errors of the format are one',
        bundleFrom({ ...sampleFiles, [annotationsFile]: 'annotations: {a: b}' }),
        'fail',
        'error: the format of the bundle is wrong: ',
      ],
      [
        'a bundle that cannot be loaded',
        bundleFrom({ ...sampleFiles, 'manifests/x.yaml': 'a: [' }),
        'fail',
        'error: it is not YAML',
      ],
    ],
  ],
  [
    'olm-crds-have-validation',
    [
      [
        'fields that the schema has',
        withExamples(`[${example(', "spec": {"leaves": 1}, "status": {"hot": true}')}]`),
        'pass',
      ],
      [
        'fields that it does not have',
        withExamples(`[${example(', "spec": {"milk": 1}, "status": {"cold": true}')}]`),
        'fail',
        'Add CRD validation for spec field `milk` in Pot/v1',
        'Add CRD validation for status field `cold` in Pot/v1',
      ],
      [
        'a kind of another group in another case',
        withExamples(`[${example(', "spec": {"milk": 1}', 'coffee.example.com/V1', 'POT')}]`),
        'fail',
        'Add CRD validation for spec field `milk` in POT/V1',
      ],
      [
        'another version',
        withExamples(`[${example(', "spec": {"milk": 1}', 'tea.example.com/v2')}]`),
        'pass',
      ],
      [
        'a spec that is a text',
        withExamples(`[${example(', "spec": "hot"')}]`),
        'fail',
        'error: spec of the example a is not an object',
      ],
      ['broken JSON', withExamples('[{'), 'error', 'error: metadata.annotations[alm-examples] is not JSON'],
    ],
  ],
  [
    'olm-crds-have-resources',
    [
      ['resources', withExamples('[]', 'resources: [{kind: Pod, version: v1}], '), 'pass'],
      [
        'no resources',
        withExamples('[]', 'resources: [], '),
        'fail',
        'error: owned CRDs have no resources: pots.tea.example.com',
      ],
    ],
  ],
  [
    'olm-spec-descriptors',
    [
      [
        'a descriptor for each field',
        withExamples(`[${example(', "spec": {"leaves": 1}')}]`, descriptors),
        'pass',
      ],
      [
        'descriptors of deeper fields do not count',
        withExamples(`[${example(', "spec": {"leaves": 1, "water": {}}')}]`, descriptors),
        'fail',
        'error: water does not have a spec descriptor',
        'Add a spec descriptor for water',
      ],
      ['no spec', withExamples(`[${example('')}]`), 'fail'],
      [
        'a kind that is not owned',
        withExamples(`[${example(', "spec": {}', 'tea.example.com/v1', 'Cup')}]`),
        'fail',
        'error: the example a is of no owned CRD: tea.example.com/v1, Kind=Cup',
      ],
      [
        'a spec that is a text',
        withExamples(`[${example(', "spec": "hot"')}]`),
        'fail',
        'error: spec of the example a is not an object',
      ],
    ],
  ],
  [
    'olm-status-descriptors',
    [
      [
        'no status',
        withExamples(`[${example('')}]`),
        'pass',
        'Add a status to the example of pots.tea.example.com',
      ],
      [
        'an empty status',
        withExamples(`[${example(', "status": {}')}]`),
        'pass',
        'Add a status to the example of pots',
      ],
      [
        'a status without descriptors',
        withExamples(`[${example(', "status": {"hot": true}')}]`),
        'fail',
        'error: pots.tea.example.com does not have a status descriptor',
        'Add a status descriptor to pots.tea.example.com',
      ],
      [
        'a status with one',
        withExamples(`[${example(', "status": {"hot": true}')}]`, 'statusDescriptors: [{path: cold}], '),
        'pass',
      ],
      [
        'a status that is a list',
        withExamples(`[${example(', "status": [1]')}]`),
        'fail',
        'error: status of the example a is not an object',
      ],
    ],
  ],
])('%s', (name, cases) => {
  test.each(cases.map(([title, bundle, ...expected]) => ({ title, bundle, expected })))(
    '$title',
    ({ bundle, expected }) => {
      expect(said(name, bundle)).toEqual(expected.map((start) => expect.stringContaining(start)));
    },
  );

  test('a bundle that cannot be loaded does not pass', () => {
    const { state } = builtInTests.get(name)!(bundleFrom({ ...sampleFiles, 'manifests/x.yaml': 'a: [' }));
    expect(state).toBe('fail');
  });
});

test('only the first examples of JSON matter, and hostile ones are results', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 4 }), (text) => {
      const quoted = text.replaceAll("'", "''").replaceAll(/[^\u0020-\u007e]/g, '?');
      const bundle = withExamples(`[${quoted}, ${example(`, "spec": ${quoted}, "status": ${quoted}`)}]`);
      for (const run of builtInTests.values()) expect(['pass', 'fail', 'error']).toContain(run(bundle).state);
    }),
    { numRuns: 20 },
  );
});

describe('the image of operator-sdk', () => {
  test.each([
    ['quay.io/operator-framework/scorecard-test:v1.42.3', true],
    ['localhost:5000/mirror/scorecard-test', true],
    ['scorecard-test@sha256:00', true],
    ['quay.io/operator-framework/scorecard-test-kuttl:v2.0.0', false],
    ['quay.io/scorecard-test/other:v1', false],
    ['', false],
  ])('%s', (image, expected) => {
    const configuration = { image, uniqueId: '', entrypoint: [], labels: {}, storagePath: '' };
    expect(isBuiltIn(configuration)).toBe(expected);
  });

  test.each([[[]], [['scorecard-test']], [['scorecard-test', 'tea']], [['basic-check-spec']]])(
    'has no test %j',
    (entrypoint: string[]) => {
      const image = 'quay.io/operator-framework/scorecard-test:v1.42.3';
      const [result] = runBuiltIn(
        { image, uniqueId: '', entrypoint, labels: {}, storagePath: '' },
        bundleFrom(sampleFiles),
      );
      expect(result).toMatchObject({
        state: 'fail',
        errors: [expect.stringContaining('olm-spec-descriptors')],
      });
    },
  );
});
