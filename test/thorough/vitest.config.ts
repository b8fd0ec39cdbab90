import { defineConfig } from 'vitest/config';
import { longTests } from '../support/long-tests.ts';
import { base } from '../support/vitest-base.ts';

/** What `npm test` tries with fewer values and rounds, or leaves out because it takes long. */
export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: [
      ...longTests,
      'packages/runtime/src/objects/merge-patch.test.ts',
      'packages/runtime/src/clusters/clusters.integration.test.ts',
      'packages/runtime/src/queue/{ready-groups,work-queue}.property.test.ts',
      'packages/testing/src/faults/divided-cache-under-faults.test.ts',
      'packages/testing/test/workloads/{restart,scheduling}.property.test.ts',
      'test/cli/delete-property.test.ts',
      'test/layouts/formatting.test.ts',
      'test/manifests/yaml.test.ts',
      'test/project/properties.test.ts',
    ],
    exclude: ['**/node_modules/**'],
    env: {
      FAULT_ROUNDS: process.env['FAULT_ROUNDS'] ?? '3',
      PROPERTY_FACTOR: process.env['PROPERTY_FACTOR'] ?? '4',
    },
  },
});
