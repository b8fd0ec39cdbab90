import { defineConfig } from 'vitest/config';
import { base } from '../support/vitest-base.ts';

/** What `npm test` tries with fewer values and rounds. */
export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: [
      'packages/runtime/test/faults/{connection,content}-faults.integration.test.ts',
      'test/cli/property.test.ts',
    ],
    exclude: ['**/node_modules/**'],
    env: {
      FAULT_ROUNDS: process.env['FAULT_ROUNDS'] ?? '3',
      PROPERTY_RUNS: process.env['PROPERTY_RUNS'] ?? '240',
    },
  },
});
