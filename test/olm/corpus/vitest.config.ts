import { defineConfig } from 'vitest/config';
import { base } from '../../support/vitest-base.ts';

/** Tests that compare with what the programs of the Operator Framework said: see corpus.ts. */
export default defineConfig({
  ...base,
  test: { ...base.test, include: ['test/olm/corpus/**/*.test.ts'], exclude: ['**/node_modules/**'] },
});
