import path from 'node:path';
import { expect, test } from 'vitest';
import { inBundle, scoreModules } from '../support/score-modules.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const own = `
interface Context { bundle: { name: string; package: string; objects: { kind: string }[] }; args: string[]; labels: object }
export default async function ({ bundle, args, labels }: Context) {
  console.log(JSON.stringify(labels));
  const { name, objects } = bundle;
  return { results: [
    { name: 'kinds', state: objects.some(({ kind }) => kind === 'CustomResourceDefinition') ? 'pass' : 'fail' },
    { state: 'fail', errors: [name, bundle.package, ...args], suggestions: ['none'] },
  ] };
}`;

test('a module gets the bundle and returns results, and whatever else it does is one line', async () => {
  const modules = {
    'own.ts': own,
    'throws.ts': 'export default () => { throw new Error("no tea\\nat all"); }',
    'exits.ts': 'export default () => process.exit(3)',
    'kills.mjs': 'export default () => process.kill(process.pid, "SIGKILL")',
    'nonsense.ts': 'export default () => ({ state: "fine" })',
    'cycle.ts': 'export default () => { const value = {}; value.value = value; return value; }',
    'no-function.ts': 'export default 1',
    'syntax.ts': 'export default (',
  };
  const { code, results } = await scoreModules(temporaryDirectory(), modules, [
    `${inBundle('own.ts')}, a, b`,
    ...Object.keys(modules).slice(1).map(inBundle),
    './none.ts',
    '../outside.ts',
  ]);
  expect(code).toBe(1);
  expect(results[0]).toMatchObject([
    { name: 'kinds', state: 'pass', log: '{"suite":"own"}\n' },
    { name: inBundle('own.ts'), state: 'fail', errors: ['tea.v1.2.3', 'tea', 'a', 'b'] },
  ]);
  const others = results.slice(1).map(([first, ...rest]) => {
    expect([rest.length, first?.errors?.length]).toEqual([0, 1]);
    return [path.basename(first?.name ?? ''), first?.state, first?.errors?.[0]];
  });
  expect(others).toEqual([
    ['throws.ts', 'fail', 'no tea'],
    ['exits.ts', 'error', 'the process of the test ended with exit code 3'],
    ['kills.mjs', 'error', 'the process of the test ended with SIGKILL'],
    ['nonsense.ts', 'error', 'the state of a result is "fine", not pass, fail, error'],
    ['cycle.ts', 'error', expect.stringContaining('what the test returned is not JSON: ')],
    ['no-function.ts', 'error', 'the module has no function as its default export'],
    ['syntax.ts', 'error', expect.stringContaining('the module cannot be loaded: ')],
    ['none.ts', 'error', './none.ts does not exist, neither in the bundle nor in the working directory'],
    ['outside.ts', 'error', '../outside.ts leads out of the bundle'],
  ]);
});

test('a module that hangs ends with the time', async () => {
  const { code, results } = await scoreModules(
    temporaryDirectory(),
    { 'hangs.ts': 'export default () => { for (;;); }' },
    [inBundle('hangs.ts')],
    '--wait-time=400ms',
  );
  expect(code).toBe(1);
  expect(results).toMatchObject([
    [{ state: 'fail', errors: ['the test did not end within the 400ms of --wait-time'] }],
  ]);
});
