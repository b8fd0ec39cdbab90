import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { codeBlocks } from '../../packages/runtime/test/docs/code-blocks.ts';
import { DevProject } from '../support/dev-project.ts';
import { inBundle, scoreModules } from '../support/score-modules.ts';

// Custom tests of ots scorecard in a project, with clusters.

const left = () => readdirSync(tmpdir()).filter((name) => name.startsWith('ots-scorecard-'));

test('tests share an embedded cluster, which has the CRDs of the bundle and is gone at the end', async () => {
  const { directory } = new DevProject('job-watcher');
  const before = left();
  const module = (name: string) => `
import { Client, loadConfig } from 'ots-runtime';
export default async ({ cluster }) => {
  const { kubeconfig } = await cluster();
  const client = new Client(await loadConfig());
  const path = '/apis/tea.example.com/v1/namespaces/default/pots';
  const pot = { apiVersion: 'tea.example.com/v1', kind: 'Pot', metadata: { name: '${name}' } };
  await client.raw({ method: 'POST', path, body: pot });
  while ((await client.raw({ path })).items.length < 2) await new Promise(setImmediate);
  await client.close();
  return { state: process.env.KUBECONFIG === kubeconfig ? 'pass' : 'fail' };
}`;
  const modules = { 'a.ts': module('green'), 'b.ts': module('black') };
  const { code, results } = await scoreModules(directory, modules, [inBundle('a.ts'), inBundle('b.ts')]);
  expect(results).toMatchObject([[{ state: 'pass' }], [{ state: 'pass' }]]);
  expect(code).toBe(0);
  expect(left()).toEqual(before);
});

test('the operator of the project runs where a test needs it', async () => {
  const { directory } = new DevProject('job-watcher');
  const module = `
import { Client, loadConfig } from 'ots-runtime';
export default async ({ cluster }) => {
  await cluster({ operator: true });
  const client = new Client(await loadConfig());
  const path = '/apis/batch.my.github.com/v1/namespaces/default/jobwatchers';
  for (;;) {
    const { items } = await client.raw({ path });
    const conditions = items.flatMap(({ status }) => status?.conditions ?? []);
    if (items.some(({ status }) => status !== undefined)) return { state: 'pass', log: JSON.stringify(conditions) };
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}`;
  const { code, results } = await scoreModules(directory, { 'a.ts': module }, [inBundle('a.ts')], '-w', '2m');
  expect(results).toMatchObject([[{ state: 'pass' }]]);
  expect(code).toBe(0);
});

test('the test of the documentation passes, and fails with an example that the server refuses', async () => {
  const markdown = readFileSync('docs/olm.md', 'utf8');
  const { code: module = '' } =
    codeBlocks(markdown).find(({ title }) => title === 'tests/scorecard/examples.test.ts') ?? {};
  const { directory } = new DevProject('job-watcher');
  const score = (text: string) => scoreModules(directory, { 'a.ts': text }, [inBundle('a.ts')]);
  expect((await score(module)).results).toMatchObject([[{ state: 'pass' }]]);
  const refused = module.replace(
    'await client.create',
    "example.metadata.name = 'A';\n    await client.create",
  );
  expect((await score(refused)).results).toMatchObject([
    [{ state: 'fail', errors: [expect.stringContaining('metadata.name: Invalid value: "A"')] }],
  ]);
});

const asking = `export default async ({ cluster, args }) => {
  const { kubeconfig } = await cluster({ operator: args[0] === 'operator' });
  return { state: 'pass', log: kubeconfig };
}`;
const withOperator = `${inBundle('a.ts')}, operator`;

test('an operator that ends is an error with its reason', async () => {
  const project = new DevProject('job-watcher');
  project.edit({ path: 'src/main.ts', replacements: [['import', 'process.exit(7);\nimport']] });
  const { results } = await scoreModules(project.directory, { 'a.ts': asking }, [withOperator], '-w', '2m');
  expect(results).toMatchObject([
    [{ state: 'fail', errors: ['the operator does not start: The operator ended with exit code 7'] }],
  ]);
});

test('the cluster may be the one of a kubeconfig, in which ots runs no operator', async () => {
  const { directory } = new DevProject('job-watcher');
  const file = join(directory, 'own-kubeconfig');
  const cluster = { name: 'own', cluster: { server: 'https://127.0.0.1:1' } };
  const context = { name: 'own', context: { cluster: 'own', user: '' } };
  writeFileSync(file, JSON.stringify({ clusters: [cluster], contexts: [context], 'current-context': 'own' }));
  const entrypoints = [inBundle('a.ts'), withOperator];
  const { results } = await scoreModules(
    directory,
    { 'a.ts': asking },
    entrypoints,
    '--kubeconfig',
    'own-kubeconfig',
  );
  expect(results).toMatchObject([
    [{ state: 'pass', log: file }],
    [{ state: 'fail', errors: [expect.stringContaining('embedded cluster alone')] }],
  ]);
});
