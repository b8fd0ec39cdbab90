import { cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { filesOf } from '../../support/files-of.ts';
import { run } from '../../support/run.ts';
import { casesOf, hasCorpus } from './corpus.ts';

interface Expected {
  readonly flags: readonly string[];
  readonly exit: number;
}

type Files = Record<string, unknown>;

/** A deliberate difference: what the files have that those of operator-sdk do not, and the other way round. docs/olm.md has the reasons. */
type Difference = (files: Files) => void;

const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'ots-generate-')));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const csvOf = (files: Files) => {
  const [csv] = Object.entries(files).filter(([file]) => file.endsWith('.clusterserviceversion.yaml'));
  return csv![1] as { spec: Record<string, unknown> };
};
const withoutIcon: Difference = (files) => delete csvOf(files).spec['icon'];

/** Deliberate differences in the files: changes what operator-sdk wrote. */
const differences: Record<string, Difference> = {
  'no-base-csv': withoutIcon,
  'ots-no-base-csv': withoutIcon,
  'related-images-of-base-lost': (files) => {
    csvOf(files).spec['relatedImages'] = [{ name: 'kept', image: 'registry.example.org/kept:1' }];
  },
  'overwrite-true': (files) => {
    const file = files['bundle/metadata/annotations.yaml'] as { annotations: Record<string, string> };
    file.annotations['com.redhat.openshift.versions'] = 'v4.18';
  },
};

/** Input that operator-sdk takes without a word, or that crashes it, and what is said about it. */
const refused: Record<string, RegExp> = {
  'broken-yaml': /^error: What starts at input\.yaml:1 is not YAML: /,
  'empty-input': /^error: There is no object in input\.yaml\n/,
};

/** operator-sdk crashes, ots generates the same as of the other case. */
const likeAnother: Record<string, string> = { 'same-object-twice': 'core' };

const cases = casesOf<Expected>('generate');

test.skipIf(!hasCorpus)('there are cases', () => expect(cases.length).toBeGreaterThan(60));

describe.each(cases.map((each) => [each.name, each] as const))('%s', (name, { directory, expected }) => {
  const other = likeAnother[name] === undefined ? directory : path.join(directory, '..', likeAnother[name]);

  test('is what operator-sdk generates, twice', async () => {
    const project = prepare(name, directory);
    const before = filesOf(project);
    const generate = (now: string) =>
      run(project, ['generate', 'bundle', '--input', 'input.yaml', ...expected.flags], {
        now: () => new Date(now),
      });
    const { code, stdout, stderr } = await generate('2026-01-01T00:00:00Z');
    if (expected.exit === 1 || name in refused) {
      expect(code === 0 ? stdout : 'refused').toBe('refused');
      expect(stderr).toMatch(refused[name] ?? /^error: .+\nhint: .+\n$/);
      expect(filesOf(project)).toEqual(before);
      return;
    }
    expect({ code, stderr: stderr.replaceAll(/^note: .*\n/gm, '') }).toEqual({ code: 0, stderr: '' });
    const wanted = filesOf(path.join(other, 'expected'));
    const files = generatedIn(project);
    if ('stdout.txt' in wanted) files['stdout.txt'] = documents(stdout);
    const expectedFiles = parsed(wanted);
    differences[name]?.(expectedFiles);
    expect(parsed(files)).toEqual(expectedFiles);
    const first = filesOf(project);
    await generate('2027-01-01T00:00:00Z');
    expect(filesOf(project)).toEqual(first);
  });
});

function prepare(name: string, directory: string): string {
  const project = path.join(root, name);
  mkdirSync(path.join(project, 'config/manifests'), { recursive: true });
  cpSync(path.join(directory, 'input.yaml'), path.join(project, 'input.yaml'));
  const copy = (from: string, to: string) => {
    if (existsSync(path.join(directory, from)))
      cpSync(path.join(directory, from), path.join(project, to), { recursive: true });
  };
  copy('bases', 'config/manifests/bases');
  copy('before', '.');
  copy('PROJECT', 'PROJECT');
  return project;
}

function generatedIn(project: string): Files {
  return Object.fromEntries(
    Object.entries(filesOf(project)).filter(
      ([file]) => !file.startsWith('config/') && file !== 'input.yaml' && file !== 'PROJECT',
    ),
  );
}

function parsed(files: Files): Files {
  return Object.fromEntries(
    Object.entries(files).map(([file, text]) => {
      if (typeof text !== 'string') return [file, text];
      const normalized = withoutStamps(text);
      if (file === 'stdout.txt') return [file, documents(normalized)];
      return [file, file.endsWith('.yaml') ? (parse(normalized) as unknown) : normalized];
    }),
  );
}

function documents(text: string): unknown[] {
  return parseAllDocuments(withoutStamps(text))
    .map((document): unknown => document.toJS())
    .filter((document) => document !== null);
}

function withoutStamps(text: string): string {
  return text
    .replaceAll(/createdAt: .*/g, 'createdAt: <createdAt>')
    .replaceAll(/(builder[:=] ?).*/g, '$1<builder>');
}
