import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { crdFile, csvFile, sampleFiles } from '../olm/sample-bundle.ts';
import { RegistryServer } from '../support/registry-server.ts';
import { run } from '../support/run.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

let directory: string;
const validate = (...args: string[]) => run(directory, ['bundle', 'validate', ...args]);

/** Writes the sample into a folder, with other files. */
function write(files: Readonly<Record<string, string>> = {}, folder = 'bundle'): void {
  for (const [file, text] of Object.entries({ ...sampleFiles, ...files })) {
    const absolute = path.join(directory, folder, file);
    mkdirSync(path.dirname(absolute), { recursive: true });
    writeFileSync(absolute, text);
  }
}

beforeEach(() => {
  directory = temporaryDirectory();
});

describe('a valid bundle', () => {
  beforeEach(() => write());

  test('is one line', async () => {
    expect(await validate('bundle')).toEqual({ code: 0, stdout: 'tea.v1.2.3 is valid\n', stderr: '' });
  });

  test('passes every validator', async () => {
    const { code, stdout } = await validate('bundle', '--all', '--strict', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      source: 'bundle',
      bundle: { name: 'tea.v1.2.3', package: 'tea', channels: ['stable'], defaultChannel: '' },
      passed: true,
      errors: 0,
      warnings: 0,
      validators: [
        'load',
        'format',
        'content',
        'bundle',
        'csv',
        'crd',
        'operatorhubv2',
        'capabilities',
        'categories',
        'community',
        'alpha-deprecated-apis',
        'good-practices',
        'object',
        'olmv1',
      ],
      findings: [],
    });
  });

  test('is a document without outputs for programs that read operator-sdk', async () => {
    const { stdout } = await validate('bundle', '-o', 'json-alpha1');
    expect(stdout).toBe('{\n    "passed": true,\n    "outputs": null\n}\n');
  });
});

describe('a bundle with a warning', () => {
  const text = sampleFiles[csvFile]!.replace('  minKubeVersion: 1.28.0\n', '');
  beforeEach(() => write({ [csvFile]: text }));

  test('passes, and names the file, the validators and the line within 80 columns', async () => {
    const { code, stdout } = await validate('bundle', '--select-optional', 'suite=operatorframework');
    expect(code).toBe(0);
    expect(stdout).toBe(`bundle/${csvFile}
  warning: spec.minKubeVersion is missing: OLM installs the operator on any
    version of Kubernetes (csv, operatorhubv2, line 10)

tea.v1.2.3: 1 warning
`);
  });

  test('fails with --strict', async () => {
    expect(await validate('bundle', '--strict')).toMatchObject({ code: 1, stderr: '' });
    expect(JSON.parse((await validate('bundle', '--strict', '--json')).stdout)).toMatchObject({
      passed: false,
    });
  });

  test('is silent with --quiet', async () => {
    expect(await validate('bundle', '--quiet')).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  test('has the messages of operator-sdk in its format', async () => {
    expect(JSON.parse((await validate('bundle', '-o', 'json-alpha1')).stdout)).toEqual({
      passed: true,
      outputs: [
        {
          type: 'warning',
          message:
            'Warning: Value : (tea.v1.2.3) spec.minKubeVersion is missing: OLM installs the operator on any version of Kubernetes',
        },
      ],
    });
  });
});

test('a bundle that cannot be loaded fails with the file', async () => {
  write({ 'manifests/broken.yaml': 'a: b\nc: [' });
  const { code, stdout } = await validate('bundle', '--all');
  expect(code).toBe(1);
  expect(stdout).toMatch(
    /^bundle\/manifests\/broken\.yaml\n {2}error: it is not YAML: [^]*\(load, line \d\)\n/,
  );
  expect(stdout).toContain('OLM cannot load it, so the other rules were not checked');
});

test('optional validators can be listed without a bundle', async () => {
  const { code, stdout } = await validate('--list-optional');
  expect(code).toBe(0);
  expect(stdout).toContain('name=good-practices suite=operatorframework\n');
  const { validators } = JSON.parse((await validate('--list-optional', '--json')).stdout);
  expect(validators).toContainEqual(expect.objectContaining({ labels: { name: 'object' } }));
});

test('an option decides whether a removed API is an error', async () => {
  const csv = sampleFiles[csvFile]!.replace('1.28.0', '1.20.0');
  write({
    [csvFile]: csv,
    'manifests/budget.yaml': 'apiVersion: policy/v1beta1\nkind: PodDisruptionBudget\nmetadata: {name: b}',
  });
  const select = ['--select-optional', 'name=alpha-deprecated-apis'];
  expect(await validate('bundle', ...select)).toMatchObject({ code: 0 });
  expect(await validate('bundle', ...select, '--optional-values', 'k8s-version=1.25')).toMatchObject({
    code: 1,
  });
});

test('custom categories come from the file of the environment', async () => {
  write({ [csvFile]: sampleFiles[csvFile]!.replace('Developer Tools', 'Tea') });
  const file = path.join(directory, 'categories.json');
  writeFileSync(file, '{"categories": ["Tea"]}');
  const args = ['bundle', 'validate', 'bundle', '--select-optional', 'name=categories'];
  expect(await run(directory, args)).toMatchObject({ code: 1 });
  expect(await run(directory, args, { env: { OPERATOR_BUNDLE_CATEGORIES: file } })).toMatchObject({
    code: 0,
  });
});

test.each<[what: string, args: string[], code: number, message: string]>([
  ['no bundle', [], 2, 'The bundle is missing'],
  ['a directory that does not exist', ['nothing'], 1, '"nothing" does not exist'],
  ['a file', [`bundle/${csvFile}`], 1, 'is not a directory'],
  ['an image that is malformed', ['quay.io/tea/Bundle:v1'], 1, 'the path of an image has no capitals'],
  ['two directories', ['bundle', 'bundle'], 2, 'Too many arguments'],
  ['another format', ['bundle', '-o', 'xml'], 1, '"xml" is not a format of --output'],
  [
    'two formats',
    ['bundle', '-o', 'json-alpha1', '--json'],
    2,
    '--json and --output json-alpha1 exclude each other',
  ],
  [
    'a selector that is not one',
    ['bundle', '--select-optional', 'name in'],
    1,
    '"name in" is not a label selector',
  ],
  [
    'a selector that selects nothing',
    ['bundle', '--select-optional', 'name=tea'],
    1,
    '"name=tea" selects no optional validator',
  ],
  [
    'an unknown value',
    ['bundle', '--optional-values', 'tea=green'],
    1,
    'No optional validator has the value "tea"',
  ],
])('%s is refused with a hint', async (_, args, code, message) => {
  write();
  const result = await validate(...args);
  expect(result.code).toBe(code);
  expect(`${result.stderr}${result.stdout}`).toContain(message);
  expect(`${result.stderr}${result.stdout}`).toMatch(/hint/);
});

describe('an image', () => {
  let registry: RegistryServer;
  beforeEach(async () => {
    registry = await RegistryServer.start();
    registry.push('tea-bundle', 'v1', {
      layers: [{ ...sampleFiles, 'etc/passwd': 'not part of the bundle' }],
    });
  });
  afterEach(() => registry.close());

  test('is pulled and validated', async () => {
    const image = `${registry.host}/tea-bundle:v1`;
    expect(await validate(image, '--all')).toEqual({
      code: 0,
      stdout: 'tea.v1.2.3 is valid\n',
      stderr: '',
    });
    expect(JSON.parse((await validate(image, '--json')).stdout)).toMatchObject({
      source: image,
      passed: true,
    });
  });

  test('can be what is upgraded', async () => {
    write();
    expect(await validate('bundle', '--upgrade-from', `${registry.host}/tea-bundle:v1`)).toMatchObject({
      code: 0,
    });
  });

  test('that does not exist is an error', async () => {
    const { code, stderr } = await validate(`${registry.host}/coffee-bundle:v1`);
    expect(code).toBe(1);
    expect(stderr).toContain(`${registry.host} does not have it\nhint: `);
  });

  test('of the operator is inspected on request', async () => {
    registry.push('tea/operator', 'v1.2.3', { architecture: 'arm64' });
    registry.pushIndex('tea/kettle', 'v1', [{ architecture: 'amd64' }, { architecture: 'arm64' }]);
    const own = sampleFiles[csvFile]!.replaceAll('registry.example.com/', `${registry.host}/`);
    write({ [csvFile]: own });
    expect((await validate('bundle', '--all')).code).toBe(0);
    const { code, stdout } = await validate('bundle', '--select-optional', 'name=multiarch', '--json');
    const details = JSON.parse(stdout).findings.map(({ detail }: { detail: string }) => detail);
    const operator = `${registry.host}/tea/operator:v1.2.3`;
    expect([code, details]).toEqual([
      1,
      [
        `the bundle supports linux/amd64 by its labels, but these images do not: ${operator}`,
        `the pod of the image ${operator} has no required node affinity for kubernetes.io/os and kubernetes.io/arch; it supports linux/arm64`,
        'metadata.labels lacks what the image of the manager supports, or the default: operatorframework.io/arch.amd64: supported, operatorframework.io/arch.arm64: supported',
      ],
    ]);
  });
});

describe('an upgrade', () => {
  beforeEach(() => write());

  test('from the same definitions is safe', async () => {
    write({}, 'former');
    const { code, stdout } = await validate('bundle', '--upgrade-from', 'former', '--json');
    expect(code).toBe(0);
    expect((JSON.parse(stdout) as { validators: string[] }).validators.at(-1)).toBe('crd-upgrade');
  });

  test('that removes a field is an error in the new definition', async () => {
    const schema = '{type: object, properties: {size: {type: integer}}}';
    write({ [crdFile]: sampleFiles[crdFile]!.replace('{type: object}', schema) }, 'former');
    const { code, stdout } = await validate('bundle', '--upgrade-from', 'former', '--json');
    const file = crdFile;
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      passed: false,
      findings: [
        { file, field: '^.size', detail: 'v1: ^.size: existingFieldRemoval: the field was removed' },
        { file, field: '^.size', detail: 'v1: ^.size: type: "integer" was removed' },
      ],
    });
  });

  test('from what OLM cannot load is refused', async () => {
    write({ [csvFile]: 'kind: [' }, 'former');
    const { code, stderr } = await validate('bundle', '--upgrade-from', 'former');
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^error: "former" is not a bundle that OLM can load: .*\nhint: Run ots bundle validate on it/,
    );
    expect((await validate('bundle', '--upgrade-from', 'nothing')).stderr).toMatch(
      /^error: .*nothing.*\nhint: /,
    );
  });
});
