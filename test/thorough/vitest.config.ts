import { defineConfig } from 'vitest/config';
import { base } from '../support/vitest-base.ts';

/** What `npm test` tries with fewer values and rounds. */
export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: [
      'packages/runtime/test/faults/{connection,content}-faults.integration.test.ts',
      'packages/cel/src/evaluate/limits.test.ts',
      'packages/runtime/src/objects/merge-patch.test.ts',
      'packages/runtime/src/queue/work-queue.property.test.ts',
      'test/cli/faults-*.test.ts',
      'test/cli/property.test.ts',
      'test/layouts/formatting.test.ts',
      'test/manifests/{hostile,hostile-types,yaml}.test.ts',
      'test/project/properties.test.ts',
    ],
    exclude: ['**/node_modules/**'],
    env: {
      FAULT_ROUNDS: process.env['FAULT_ROUNDS'] ?? '3',
      PROPERTY_FACTOR: process.env['PROPERTY_FACTOR'] ?? '4',
    },
  },
});
