import { defineConfig } from 'vitest/config';
import { base } from '../support/vitest-base.ts';

/** The page of `ots dev` in a real browser. */
export default defineConfig({
  ...base,
  test: { ...base.test, include: ['test/page/**/*.test.ts'], fileParallelism: false, testTimeout: 60_000 },
});
