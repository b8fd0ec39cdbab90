/** Tests that `npm test` leaves out because of their length: `npm run test:thorough` runs them. */
export const longTests = [
  'packages/apiserver/test/fuzz/hostile-requests.test.ts',
  'packages/cel/src/evaluate/limits.test.ts',
  'packages/runtime/src/kubeconfig/load-config.fuzz.test.ts',
  'packages/runtime/src/manager/failover.integration.test.ts',
  'packages/runtime/src/storage-migration/many-objects.integration.test.ts',
  'packages/runtime/src/sharding/sharded-processes.integration.test.ts',
  'packages/runtime/test/faults/{connection,content,server}-faults.integration.test.ts',
  'packages/testing/src/convergence/child-set-convergence.test.ts',
  'packages/testing/test/olm/failures.test.ts',
  'test/cli/faults-*.test.ts',
  'test/cli/{manifests-compat,merge,parallel,property,run-bundle,run-bundle-v1}.test.ts',
  'test/layouts/{formatted-templates,operator-output,rbac-of-project,torture-of-project}.test.ts',
  'test/manifests/{hostile,hostile-types}.test.ts',
  'test/torture/search.test.ts',
];
