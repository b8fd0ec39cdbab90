import { defineConfig } from 'vitest/config';
import { base } from '../../support/vitest-base.ts';

/** Tests that run controller-gen, which takes Go and its modules: npm run test:controller-gen */
export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: ['test/manifests/controller-gen/**/*.test.ts'],
    exclude: ['**/node_modules/**'],
    testTimeout: 600_000,
    hookTimeout: 600_000,
    fileParallelism: false,
  },
});
