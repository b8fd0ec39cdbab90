import { defineConfig } from 'vitest/config';
import { base } from '../../../../test/support/vitest-base.ts';

/** Simulates an hour of an operator in minutes. Alone in its process, whose memory it measures. */
export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: ['packages/runtime/test/soak/*.test.ts'],
    exclude: ['**/node_modules/**'],
    testTimeout: 600_000,
    pool: 'forks',
    execArgv: ['--expose-gc'],
  },
});
