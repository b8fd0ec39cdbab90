import { Examples } from '../../packages/runtime/test/docs/examples.ts';
import { afterAll, describe, expect, test } from 'vitest';

const examples = await Examples.write();
afterAll(() => examples[Symbol.asyncDispose]());

test('the examples of the documentation compile', async () => {
  expect(await examples.typeErrors()).toBe('');
});

// The tests that getting-started.md and testing.md show, as they are.
describe.each(['my-app-reconciler.test.ts', 'testing.test.ts'])('%s', async (file) => {
  await import(/* @vite-ignore */ examples.path(file));
});
