import { defineConfig } from 'vitest/config';
import { base } from '../../../../test/support/vitest-base.ts';

/** Many and large hostile requests. Alone in its process, whose memory it measures. */
export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: ['packages/apiserver/test/fuzz/*.test.ts'],
    exclude: ['**/node_modules/**'],
    pool: 'forks',
    env: {
      FUZZ_REQUESTS: process.env['FUZZ_REQUESTS'] ?? '5000',
      FUZZ_SIZE: process.env['FUZZ_SIZE'] ?? '300000',
    },
  },
});
