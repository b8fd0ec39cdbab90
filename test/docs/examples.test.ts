import { Examples } from '../../packages/runtime/test/docs/examples.ts';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const examples = await Examples.write();
const directory = process.cwd();
// The tests read config/ as those of an operator do.
beforeAll(() =>
  process.chdir(fileURLToPath(new URL('../../packages/runtime/test/docs/operator', import.meta.url))),
);
afterAll(() => {
  process.chdir(directory);
  return examples[Symbol.asyncDispose]();
});

test('the examples of the documentation compile', async () => {
  expect(await examples.typeErrors()).toBe('');
});

// The tests that getting-started.md and testing.md show, as they are.
describe.each([
  'my-app-reconciler.test.ts',
  'testing.test.ts',
  'operator.test.ts',
  'namespaces.test.ts',
  'convergence.test.ts',
  'buckets.test.ts',
  'time.test.ts',
  'sharding.test.ts',
  'workloads.test.ts',
  'olm.test.ts',
  'clusters.test.ts',
])('%s', async (file) => {
  await import(/* @vite-ignore */ examples.path(file));
});
