import { describe, expect, test } from 'vitest';
import { type TestConfiguration, readConfiguration } from '../../../src/olm/scorecard/configuration.ts';
import { runScorecard, selectedTests } from '../../../src/olm/scorecard/run-scorecard.ts';
import { type ScoredTest, testListDocument } from '../../../src/olm/scorecard/test-list.ts';
import { textOfTest } from '../../../src/olm/scorecard/write-text.ts';
import { xunitOf } from '../../../src/olm/scorecard/write-xunit.ts';

const everything = () => true;
const passed = (name: string) => [{ name, state: 'pass' as const, errors: [], suggestions: [], log: '' }];

describe('the configuration', () => {
  test('has stages of tests', () => {
    const text = `
apiVersion: scorecard.operatorframework.io/v1alpha3
kind: Configuration
metadata: {name: config}
serviceaccount: tea
unknown: 1
stages:
  - parallel: true
    tests:
      - image: quay.io/a:v1
        entrypoint: [run, 1]
        labels: {suite: own, cold: true}
        uniqueID: u
        storage: {spec: {mountPath: {path: /own}}}
      - {}
  - {}
storage: {spec: {mountPath: {path: /shared}}}
`;
    const none = { image: '', uniqueId: '', entrypoint: [], labels: {}, storagePath: '/shared' };
    expect(readConfiguration(text)).toEqual({
      stages: [
        {
          isParallel: true,
          tests: [
            {
              image: 'quay.io/a:v1',
              uniqueId: 'u',
              entrypoint: ['run', '1'],
              labels: { suite: 'own', cold: 'true' },
              storagePath: '/own',
            },
            none,
          ],
        },
        { isParallel: false, tests: [] },
      ],
    });
  });

  test.each([
    ['', 'it is not an object with stages'],
    ['- a', 'it is not an object with stages'],
    ['kind: [', 'it is not YAML: '],
    ['kind: Pod', 'it is a Pod, not a Configuration'],
    ['metadata: 5', 'metadata is 5, not an object'],
    ['stages: {}', 'stages is an object, not a list'],
    ['stages: [{tests: [{entrypoint: run}]}]', 'stages[0].tests[0].entrypoint is "run", not a list'],
    ['stages: [{parallel: maybe}]', 'stages[0].parallel is "maybe", not true or false'],
    [`a: ${'['.repeat(600)}${']'.repeat(600)}`, 'values are nested too deep'],
  ])('%j is not one', (text, message) => {
    expect(() => readConfiguration(text)).toThrow(SyntaxError);
    expect(() => readConfiguration(text)).toThrow(message);
  });
});

test('labels are in the order of their keys', () => {
  const [stage] = readConfiguration('stages: [{tests: [{labels: {b: x, a: y}}]}]').stages;
  expect(Object.keys(stage!.tests[0]!.labels)).toEqual(['a', 'b']);
});

const configuration = (parallel: boolean) =>
  readConfiguration(`stages:
  - {parallel: ${parallel}, tests: [{image: a}, {image: b}]}
  - {tests: [{image: c, labels: {suite: late}}]}`);

describe('stages', () => {
  test.each([
    [false, ['+a', '-a', '+b', '-b', '+c', '-c']],
    [true, ['+a', '+b', '-a', '-b', '+c', '-c']],
  ])('with parallel: %s', async (parallel, expected) => {
    const events: string[] = [];
    const run = async ({ image }: TestConfiguration) => {
      events.push(`+${image}`);
      await new Promise(setImmediate);
      events.push(`-${image}`);
      return passed(image);
    };
    const { signal } = new AbortController();
    const tests = await runScorecard(configuration(parallel), { isSelected: everything, run, signal });
    expect(events).toEqual(expected);
    expect(tests.map(({ spec, results }) => [spec.image, results[0]?.name])).toEqual([
      ['a', 'a'],
      ['b', 'b'],
      ['c', 'c'],
    ]);
  });

  test('only what is selected runs', async () => {
    const { signal } = new AbortController();
    const isSelected = ({ labels }: TestConfiguration) => labels['suite'] === 'late';
    const tests = await runScorecard(configuration(true), {
      isSelected,
      run: async () => passed('x'),
      signal,
    });
    expect(tests.map(({ spec }) => spec.image)).toEqual(['c']);
    expect(selectedTests(configuration(true), isSelected)).toMatchObject([{ results: [] }]);
  });

  test('what has not ended in time fails, and what has keeps its result', async () => {
    const controller = new AbortController();
    const run = ({ image }: TestConfiguration) => {
      if (image === 'a') return Promise.resolve(passed('a'));
      controller.abort(new Error('no time is left'));
      return new Promise<never>(() => {});
    };
    const tests = await runScorecard(configuration(false), {
      isSelected: everything,
      run,
      signal: controller.signal,
    });
    expect(tests.map(({ results }) => [results[0]?.state, ...(results[0]?.errors ?? [])])).toEqual([
      ['pass'],
      ['fail', 'no time is left'],
      ['fail', 'no time is left'],
    ]);
  });
});

const scored: ScoredTest = {
  spec: {
    image: 'quay.io/a:v1',
    uniqueId: '',
    entrypoint: ['run', 'it'],
    labels: { suite: 'b"c', test: 'own' },
    storagePath: '',
  },
  results: [
    { name: 'one', state: 'pass', errors: [], suggestions: ['Do this'], log: 'line 1\nline 2\n' },
    { name: 'two', state: 'fail', errors: ['a < b\n\u{202E}]]>'], suggestions: [], log: '\u0000' },
    { name: '', state: 'error', errors: [], suggestions: [], log: '' },
  ],
};

describe('results', () => {
  test('as text', () => {
    expect(textOfTest(scored)).toBe(
      [
        '-'.repeat(80),
        'Image:      quay.io/a:v1',
        'Entrypoint: [run it]',
        'Labels:',
        '\t"suite":"b\\"c"',
        '\t"test":"own"',
        'Results:',
        '\tName: one',
        '\tState: pass',
        '',
        '\tSuggestions:',
        '\t\tDo this',
        '\tLog:',
        '\t\tline 1',
        '\t\tline 2',
        '',
        '\tName: two',
        '\tState: fail',
        '',
        '\tErrors:',
        '\t\ta < b ]]>',
        '\tLog:',
        '\t\t ',
        '',
        '\tState: error',
        '',
        '',
        '',
      ].join('\n'),
    );
  });

  test('as a TestList', () => {
    expect(testListDocument([scored])).toEqual({
      kind: 'TestList',
      apiVersion: 'scorecard.operatorframework.io/v1alpha3',
      items: [
        {
          kind: 'Test',
          apiVersion: 'scorecard.operatorframework.io/v1alpha3',
          spec: {
            image: 'quay.io/a:v1',
            entrypoint: ['run', 'it'],
            labels: { test: 'own', suite: 'b"c' },
            storage: { spec: { mountPath: {} } },
          },
          status: {
            results: [
              {
                name: 'one',
                log: 'line 1\nline 2\n',
                state: 'pass',
                suggestions: ['Do this'],
                creationTimestamp: null,
              },
              {
                name: 'two',
                log: '\u0000',
                state: 'fail',
                errors: ['a < b\n\u{202E}]]>'],
                creationTimestamp: null,
              },
              { state: 'error', creationTimestamp: null },
            ],
          },
        },
      ],
    });
    expect(testListDocument([])).toMatchObject({ items: null });
    expect(testListDocument([{ ...scored, results: [] }])).toMatchObject({ items: [{ status: {} }] });
  });

  test('as XML', () => {
    expect(xunitOf([])).toBe('<testsuites name="scorecard"></testsuites>');
    expect(xunitOf([scored])).toBe(`<testsuites name="scorecard">
  <testsuite name="own" tests="3" skipped="0" failures="1" errors="1">
    <properties>
      <property name="spec.image" value="quay.io/a:v1"></property>
      <property name="spec.entrypoint" value="run it"></property>
      <property name="labels.test" value="own"></property>
    </properties>
    <testcase name="one" time="0001-01-01T00:00:00Z">
      <system-out>line 1&#xA;line 2&#xA;</system-out>
    </testcase>
    <testcase name="two" time="0001-01-01T00:00:00Z">
      <system-out>\u{FFFD}</system-out>
      <failure type="failure">a &lt; b&#xA;\u{202E}]]&gt;</failure>
    </testcase>
    <testcase name="" time="0001-01-01T00:00:00Z">
      <system-out></system-out>
      <error type="error"></error>
    </testcase>
  </testsuite>
</testsuites>`);
    const { labels: _, ...spec } = scored.spec;
    expect(xunitOf([{ spec: { ...spec, labels: { 'cluster-phase': 'x' } }, results: [] }])).toMatch(
      /testsuite name="testsuite-001"[^]*"labels\.cluster-phase" value="x"/,
    );
  });
});
