import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { findModule, modulePath } from '../../../src/commands/scorecard/module-file.ts';
import { customResults } from '../../../src/olm/scorecard/custom-results.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const pass = { state: 'pass' };
const read = { name: 'own', state: 'pass', errors: [], suggestions: [], log: '' };

describe('what a test returns', () => {
  test.each([
    ['one result', pass, [read]],
    ['some', [pass, { ...pass, name: 'b', log: 'l' }], [read, { ...read, name: 'b', log: 'l' }]],
    [
      'a status',
      { results: [{ state: 'fail', errors: ['e'] }] },
      [{ ...read, state: 'fail', errors: ['e'] }],
    ],
  ])('may be %s', (_, value, expected) => {
    expect(customResults(value, 'own')).toEqual(expected);
  });

  test.each([
    [undefined, 'the test returned nothing, not a result'],
    [null, 'the test returned null, not a result'],
    ['pass', 'the test returned "pass", not a result'],
    [[], 'the test returned no result'],
    [{ results: [] }, 'the test returned no result'],
    [{ results: {} }, 'the state of a result is nothing'],
    [[pass, 1], 'the test returned 1, not a result'],
    [{}, 'the state of a result is nothing, not pass, fail, error'],
    [{ state: 'constructor' }, 'the state of a result is "constructor"'],
    [{ ...pass, name: 1 }, 'the name of a result is 1, not a text'],
    [{ ...pass, log: {} }, 'the log of a result is {}, not a text'],
    [{ ...pass, errors: [1] }, 'the errors of a result are not a list of texts'],
    [{ ...pass, suggestions: 'none' }, 'the suggestions of a result are not a list of texts'],
  ])('is not %j', (value, problem) => {
    expect(customResults(value, 'own')).toEqual({ problem: expect.stringContaining(problem) });
  });
});

const withEntrypoint = (...entrypoint: string[]) => ({
  image: '',
  uniqueId: '',
  entrypoint,
  labels: {},
  storagePath: '',
});

test.each([
  ['./a.test.ts', true],
  ['./tests/scorecard/a.mjs', true],
  ['./a.js', true],
  ['../a.ts', true],
  ['a.ts', false],
  ['./a.sh', false],
  ['/a.ts', false],
  ['scorecard-test', false],
])('%s in an entrypoint is a module: %s', (first, expected) => {
  expect(modulePath(withEntrypoint(first, 'x'))).toBe(expected ? first : undefined);
  expect(modulePath(withEntrypoint('node', first))).toBeUndefined();
});

describe('a module', () => {
  let root: string;
  let bundle: string;
  beforeEach(() => {
    root = temporaryDirectory();
    bundle = path.join(root, 'bundle');
    mkdirSync(path.join(bundle, 'tests'), { recursive: true });
    for (const file of ['outside.ts', 'both.ts', 'bundle/both.ts', 'bundle/tests/a.ts'])
      writeFileSync(path.join(root, file), '');
    symlinkSync(path.join(root, 'outside.ts'), path.join(bundle, 'link.ts'));
    symlinkSync(path.join(bundle, 'both.ts'), path.join(bundle, 'tests/inner.ts'));
  });

  test.each([
    ['./tests/a.ts', 'bundle/tests/a.ts'],
    ['./both.ts', 'bundle/both.ts'],
    ['./outside.ts', 'outside.ts'],
    ['./tests/inner.ts', 'bundle/both.ts'],
  ])('%s is found, first in the bundle', async (name, expected) => {
    expect(await findModule(name, bundle, root)).toEqual({ file: path.join(root, expected) });
  });

  test('of a bundle elsewhere does not run', async () => {
    const project = path.join(root, 'project');
    mkdirSync(project);
    expect(await findModule('./tests/a.ts', bundle, project)).toEqual({
      problem: './tests/a.ts is not below the working directory: ots does not run code of other bundles',
    });
  });

  test.each([
    ['./link.ts', 'is a link that leads out of the bundle'],
    ['../outside.ts', 'leads out of the bundle'],
    ['./tests/../../outside.ts', 'leads out of the bundle'],
    ['./none.ts', 'does not exist'],
    ['./tests', 'is not a file'],
  ])('%s is refused', async (name, problem) => {
    expect(await findModule(name, bundle, path.join(root, 'bundle'))).toEqual({
      problem: expect.stringContaining(problem),
    });
  });
});
