import { Examples } from '../../packages/runtime/test/docs/examples.ts';
import { afterAll, expect, test } from 'vitest';

const examples = await Examples.write();
afterAll(() => examples[Symbol.asyncDispose]());

test('the examples of the documentation compile', async () => {
  expect(await examples.typeErrors()).toBe('');
});

// The test that getting-started.md shows, as it is.
await import(/* @vite-ignore */ examples.path('my-app-reconciler.test.ts'));
