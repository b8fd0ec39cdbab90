import { defineConfig } from 'vitest/config';
import { base } from '../support/vitest-base.ts';

/** Tests that need more than Node: the npm registry, kubectl, or a real control plane. */
export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: ['test/integration/**/*.test.ts'],
    exclude: ['**/node_modules/**'],
    testTimeout: 600_000,
    hookTimeout: 600_000,
    fileParallelism: false,
  },
});
