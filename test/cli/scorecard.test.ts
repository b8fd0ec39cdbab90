import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { annotationsFile, sampleFiles } from '../olm/sample-bundle.ts';
import { run } from '../support/run.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

let directory: string;
const scorecard = (...args: string[]) => run(directory, ['scorecard', ...args]);

const image = 'quay.io/operator-framework/scorecard-test:v1.42.3';
const configFile = 'tests/scorecard/config.yaml';

/** A configuration with these entries, one per test. */
function configuration(...tests: readonly string[]): string {
  return `kind: Configuration
apiVersion: scorecard.operatorframework.io/v1alpha3
stages:
  - parallel: true
    tests:
${tests.map((entry) => `      - ${entry}\n`).join('')}`;
}

const builtIn = (name: string, suite: string) =>
  `{image: '${image}', entrypoint: [scorecard-test, ${name}], labels: {suite: ${suite}, test: ${name}-test}}`;
const standard = configuration(
  builtIn('basic-check-spec', 'basic'),
  builtIn('olm-bundle-validation', 'olm'),
  builtIn('olm-crds-have-resources', 'olm'),
);

/** Writes the sample with a configuration, and other files. */
function write(config: string | null = standard, files: Readonly<Record<string, string>> = {}): void {
  const all = { ...sampleFiles, ...(config !== null && { [configFile]: config }), ...files };
  for (const [file, text] of Object.entries(all)) {
    const absolute = path.join(directory, 'bundle', file);
    mkdirSync(path.dirname(absolute), { recursive: true });
    writeFileSync(absolute, text);
  }
}

beforeEach(() => {
  directory = temporaryDirectory();
});

/** Names and states of the results. */
function statesOf(stdout: string): unknown[] {
  const { items } = JSON.parse(stdout) as {
    items: { status: { results?: { name?: string; state: string }[] } }[] | null;
  };
  return (items ?? []).map(({ status }) => (status.results ?? []).map(({ name, state }) => [name, state]));
}

describe('the tests of operator-sdk', () => {
  test('run in process, and one that does not pass fails the command', async () => {
    write();
    const { code, stdout, stderr } = await scorecard('bundle', '--output', 'json');
    expect([code, stderr]).toEqual([1, '']);
    expect(statesOf(stdout)).toEqual([
      [['basic-check-spec', 'pass']],
      [['olm-bundle-validation', 'pass']],
      [['olm-crds-have-resources', 'fail']],
    ]);
    expect(await scorecard('bundle', '--json')).toEqual({ code, stdout, stderr });
  });

  test('are selected by labels', async () => {
    write();
    const { code, stdout } = await scorecard('bundle', '-l', 'suite=basic');
    expect(code).toBe(0);
    expect(stdout).toBe(`${'-'.repeat(80)}
Image:      ${image}
Entrypoint: [scorecard-test basic-check-spec]
Labels:
\t"suite":"basic"
\t"test":"basic-check-spec-test"
Results:
\tName: basic-check-spec
\tState: pass

\tSuggestions:
\t\tthe example [a] has no spec


`);
    expect(await scorecard('bundle', '-l', 'suite=none')).toEqual({
      code: 0,
      stdout: '0 tests selected\n',
      stderr: '',
    });
  });

  test('are listed', async () => {
    write();
    const { code, stdout } = await scorecard('bundle', '--list', '-o', 'json');
    expect(code).toBe(0);
    expect(statesOf(stdout)).toEqual([[], [], []]);
    expect(await scorecard('bundle', '--dry-run', '-o', 'json')).toMatchObject({ code: 0, stdout });
  });

  test('are in XML', async () => {
    write();
    const { code, stdout } = await scorecard('bundle', '-o', 'xunit');
    expect(code).toBe(1);
    expect(stdout).toContain(
      '<testsuite name="olm-crds-have-resources-test" tests="1" skipped="0" failures="1"',
    );
  });

  test('with --quiet, only what does not pass is shown', async () => {
    write();
    const { stdout } = await scorecard('bundle', '--quiet');
    expect(stdout.match(/Name: .*/g)).toEqual(['Name: olm-crds-have-resources']);
    expect((await scorecard('bundle', '--quiet', '-l', 'suite=basic')).stdout).toBe('');
  });

  test('nothing is written', async () => {
    write();
    await scorecard('bundle');
    expect(readdirSync(directory)).toEqual(['bundle']);
  });
});

test('other images are refused, and the other tests run', async () => {
  write(
    configuration(
      "{image: 'quay.io/own/kuttl:v1', entrypoint: [kuttl]}",
      builtIn('basic-check-spec', 'basic'),
    ),
  );
  const { code, stdout } = await scorecard('bundle');
  expect(code).toBe(1);
  expect(stdout).toContain('State: error');
  expect(stdout).toContain('ots does not run container images: quay.io/own/kuttl:v1');
  expect(stdout).toContain('Name: basic-check-spec\n\tState: pass');
});

describe('the configuration', () => {
  test('is where the annotations say', async () => {
    const prefix = 'operators.operatorframework.io.test';
    const annotations = `${sampleFiles[annotationsFile]}  ${prefix}.mediatype.v1: scorecard+v1\n  ${prefix}.config.v1: own/\n`;
    write(null, { [annotationsFile]: annotations, 'own/config.yaml': standard });
    expect((await scorecard('bundle', '-l', 'suite=basic')).code).toBe(0);
    write(null, { [annotationsFile]: annotations.replace('own/', '../../') });
    expect((await scorecard('bundle')).stderr).toMatch(/config\.v1 leads out of the bundle\nhint: /);
  });

  test('is where --config says', async () => {
    write(null);
    writeFileSync(path.join(directory, 'own.yaml'), configuration(builtIn('basic-check-spec', 'basic')));
    expect((await scorecard('bundle', '--config', 'own.yaml')).code).toBe(0);
  });

  test.each([
    [
      ['bundle'],
      'kind: Pod',
      /"bundle\/tests\/scorecard\/config\.yaml" is not a configuration of the scorecard: it is a Pod/,
    ],
    [['bundle', '-c', 'none.yaml'], standard, /"none\.yaml" does not exist/],
    [['bundle', '-c', 'bundle'], standard, /"bundle" is not a file/],
    [['bundle', '-o', 'yaml'], standard, /"yaml" is not a format of --output/],
    [['bundle', '-l', 'a in b'], standard, /"a in b" is not a label selector/],
    [['bundle', '-w', '30'], standard, /--wait-time "30" is not a duration/],
    [['bundle', '-w', '-1s'], standard, /--wait-time "-1s" is not a duration/],
    [['nothing'], standard, /"nothing" does not exist/],
  ])('%j with %j is an error with a hint', async (args, config, message) => {
    write(config);
    const { code, stdout, stderr } = await scorecard(...args);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(message);
    expect(stderr).toMatch(/^error: .*\nhint: .*\n$/);
  });

  test.each([[[]], [['bundle', '--json', '-o', 'xunit']]])('%j is wrong usage', async (args: string[]) => {
    write();
    expect(await scorecard(...args)).toMatchObject({ code: 2 });
  });
});

test('a bundle without a configuration', async () => {
  write(null);
  const { code, stderr } = await scorecard('bundle');
  expect(code).toBe(1);
  expect(stderr).toMatch(/^error: "bundle\/tests\/scorecard\/config\.yaml" does not exist\nhint: /);
});
