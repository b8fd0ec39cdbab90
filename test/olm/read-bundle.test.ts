import { randomBytes } from 'node:crypto';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readBundle } from '../../src/olm/bundle/read-bundle.ts';
import { runValidators } from '../../src/olm/validate/run-validators.ts';
import { optionalValidators } from '../../src/olm/validate/validators.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { annotationsFile, bundleFrom, crdFile, csvFile, replaced, sampleFiles } from './sample-bundle.ts';

/** The problems of the sample with other files, as `file: detail`. */
function problems(files: Readonly<Record<string, string>>): string[] {
  return bundleFrom({ ...sampleFiles, ...files }).problems.map(({ file, detail }) => `${file}: ${detail}`);
}

describe('the loader of OLM refuses', () => {
  test.each<[title: string, file: string, text: string, problem: string]>([
    ['a hidden file', 'manifests/.a.yaml', '', 'a hidden file among the manifests'],
    ['a directory', 'manifests/more/a.yaml', '', 'a directory among the manifests'],
    ['an empty file', 'manifests/a.yaml', '', 'the file is empty'],
    ['a broken file', 'manifests/a.yaml', 'a: [b', 'it is not YAML'],
    ['a tab', 'manifests/a.yaml', 'a:\n\tb: c', 'it is not YAML'],
    ['a text', 'manifests/a.yaml', 'tea', 'its first document is not an object'],
    ['a list', 'manifests/a.yaml', '- a', 'its first document is not an object'],
    ['an object without a kind', 'manifests/a.yaml', 'apiVersion: v1', 'its first document has no kind'],
    [
      'a definition without an apiVersion',
      'manifests/a.yaml',
      'kind: CustomResourceDefinition',
      'apiVersion is ""',
    ],
    ['a broken file of annotations', annotationsFile, 'annotations: [a', 'it is not YAML'],
    [
      'annotations that are not texts',
      annotationsFile,
      'annotations: {a: {b: c}}',
      'its annotations are not a map of texts',
    ],
    ['a malformed apiVersion', 'manifests/a.yaml', 'kind: A\napiVersion: a/b/c', 'apiVersion is "a/b/c"'],
    ['anchors that contain themselves', 'manifests/a.yaml', 'a: &a [*a]', 'it is not YAML'],
    ['deep values', 'manifests/a.yaml', '['.repeat(20_000), 'it is not YAML'],
    [
      'deep values that are complete',
      'manifests/a.yaml',
      `${'['.repeat(600)}${']'.repeat(600)}`,
      'values are nested deeper',
    ],
  ])('%s', (_, file, text, problem) => {
    const [, directory] = /^(manifests\/more)\//.exec(file) ?? [];
    expect(problems({ [file]: text })).toContainEqual(
      expect.stringContaining(`${directory ?? file}: ${problem}`),
    );
  });

  test('two ClusterServiceVersions', () => {
    expect(problems({ 'manifests/z.yaml': sampleFiles[csvFile]! })).toEqual([
      `manifests/z.yaml: a second ClusterServiceVersion beside ${csvFile}; a bundle has exactly one`,
    ]);
  });

  test('a bundle without one', () => {
    const { [csvFile]: _, ...others } = sampleFiles;
    expect(bundleFrom(others).problems).toMatchObject([
      { detail: expect.stringContaining('no ClusterServiceVersion') },
    ]);
  });

  test.each<[field: string, from: string, to: string]>([
    ['spec.version', 'version: 1.2.3', 'version: 1.2'],
    ['spec.release', '  version: 1.2.3', '  version: 1.2.3\n  release: ~'],
    ['spec.version', 'version: 1.2.3', 'version: one'],
    ['spec.installModes', 'installModes:', 'installModes: all\n  other:'],
    [
      'spec.install.spec.deployments[0].spec.replicas',
      '            selector',
      '            replicas: 1.5\n            selector',
    ],
    [
      'spec.install.spec.deployments[0].spec.template.spec.containers[0].resources.requests.cpu',
      'cpu: 10m',
      'cpu: ten',
    ],
  ])('%s of the wrong type', (field, from, to) => {
    expect(replaced(csvFile, [from, to]).problems).toMatchObject([{ file: csvFile, field }]);
  });
});

describe('the loader of OLM reads', () => {
  test('only the first document of a file', () => {
    expect(problems({ [crdFile]: `---\n${sampleFiles[crdFile]}---\n[broken` })).toEqual([]);
  });

  test('YAML 1.1, in which y is a boolean, as a text where Go needs one', () => {
    const { csv, problems: found } = replaced(csvFile, ['{app: tea}', '{app: y}']);
    expect(found).toEqual([]);
    expect(csv?.csv.spec?.install?.spec?.deployments?.[0]?.spec?.selector).toEqual({
      matchLabels: { app: 'true' },
    });
  });

  test('names of fields without regard to case', () => {
    expect(replaced(csvFile, ['displayName', 'DISPLAYNAME']).csv?.csv.spec?.displayName).toBe('Tea');
  });

  test('manifests where the annotations say, and annotations where they are', () => {
    const texts = Object.fromEntries(
      Object.entries(sampleFiles).map(([file, text]) => [
        file.replace('manifests/', 'deploy/').replace('metadata/annotations', 'about/facts'),
        text.replace('manifests/', './deploy/'),
      ]),
    );
    expect(bundleFrom(texts)).toMatchObject({
      manifests: 'deploy',
      package: 'tea',
      channels: ['stable'],
      problems: [],
    });
  });

  test('manifests that are the bundle itself', () => {
    const texts = { 'csv.yaml': sampleFiles[csvFile]!, 'crd.yaml': sampleFiles[crdFile]! };
    expect(bundleFrom(texts)).toMatchObject({ manifests: '', name: 'tea.v1.2.3', problems: [] });
  });
});

describe('on disk', () => {
  function write(files: Readonly<Record<string, string | Buffer>>): string {
    const directory = temporaryDirectory();
    for (const [file, content] of Object.entries({ ...sampleFiles, ...files })) {
      mkdirSync(path.dirname(path.join(directory, file)), { recursive: true });
      writeFileSync(path.join(directory, file), content);
    }
    return directory;
  }
  const problemsIn = async (directory: string) =>
    (await readBundle(directory)).problems.map(({ file, detail }) => `${file}: ${detail}`);

  test('a link within the bundle is followed', async () => {
    const directory = write({ 'extra/service.yaml': 'apiVersion: v1\nkind: Service\nmetadata: {name: s}' });
    symlinkSync('../extra/service.yaml', path.join(directory, 'manifests/service.yaml'));
    const { objects, problems: found } = await readBundle(directory);
    expect(found).toEqual([]);
    expect(objects.map(({ kind }) => kind)).toContain('Service');
  });

  test.each<[what: string, target: (outside: string) => string, problem: string]>([
    ['out of the bundle', (outside) => outside, 'it is a link out of the bundle'],
    ['to a directory', () => '../metadata', 'it is a link to a directory'],
    ['to nothing', () => 'nothing', 'it cannot be read: the link leads nowhere'],
    ['to itself', () => 'a.yaml', 'it cannot be read: the link leads to itself'],
  ])('a link %s is not followed', async (_, target, problem) => {
    const directory = write({});
    const outside = path.join(temporaryDirectory(), 'secret.yaml');
    writeFileSync(outside, 'kind: Secret');
    symlinkSync(target(outside), path.join(directory, 'manifests/a.yaml'));
    expect(await problemsIn(directory)).toEqual([`manifests/a.yaml: ${problem}`]);
  });

  test('a file that is larger than any manifest is not read', async () => {
    const directory = write({ 'manifests/a.yaml': Buffer.alloc(17 * 2 ** 20, '#') });
    expect(await problemsIn(directory)).toEqual(['manifests/a.yaml: it is larger than 16 MiB']);
  });

  test('a bundle that OLM cannot unpack is too large', async () => {
    const noise = randomBytes(800_000).toString('base64');
    const text = `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {a: ${noise}}`;
    const directory = write({ 'manifests/a.yaml': text });
    const { findings } = runValidators(await readBundle(directory), [], { values: {} });
    expect(findings).toMatchObject([{ validator: 'bundle', level: 'error', type: 'BundleNotValid' }]);
  });
});

describe('hostile input becomes findings', () => {
  const validate = (files: Readonly<Record<string, string>>) =>
    runValidators(bundleFrom({ ...sampleFiles, ...files }), optionalValidators, { values: {} });

  test('a truncated ClusterServiceVersion', () => {
    const text = sampleFiles[csvFile]!;
    for (let end = 0; end < text.length; end += 7)
      expect(() => validate({ [csvFile]: text.slice(0, end) })).not.toThrow();
  });

  test('any value in any place', () => {
    const lines = sampleFiles[csvFile]!.split('\n');
    const definition = sampleFiles[crdFile]!.split('\n');
    const hostile = fc.oneof(
      fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.stringify(value)),
      fc.constantFrom(
        '',
        '~',
        'y',
        '[]',
        '{}',
        '[~]',
        '[{}]',
        '1e999',
        '99999999999999999999',
        '{__proto__: {a: b}}',
        '&a',
        '*a',
      ),
    );
    const place = fc.nat(lines.length + definition.length - 1);
    fc.assert(
      fc.property(place, hostile, (index, value) => {
        const inCsv = index < lines.length;
        const changed = (inCsv ? lines : definition).map((line, position) =>
          position === (inCsv ? index : index - lines.length)
            ? line.replace(/(:|-) .*$|:$/, (end) => `${end[0]} ${value}`)
            : line,
        );
        const { findings } = validate({ [inCsv ? csvFile : crdFile]: changed.join('\n') });
        for (const { detail } of findings) expect(detail).toMatch(/\S/);
      }),
      { numRuns: 150 },
    );
  });

  test('a prototype stays what it is', () => {
    validate({
      'manifests/a.yaml':
        'kind: __proto__\napiVersion: constructor\nmetadata: {name: a, labels: {__proto__: x}}',
    });
    expect(({} as Record<string, unknown>)['name']).toBeUndefined();
  });
});
