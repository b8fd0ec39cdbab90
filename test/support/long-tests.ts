/** Tests that `npm test` leaves out because of their length: `npm run test:thorough` runs them. */
export const longTests = [
  'packages/apiserver/test/fuzz/hostile-requests.test.ts',
  'packages/runtime/test/faults/{connection,content,server}-faults.integration.test.ts',
  'test/cli/manifests-compat.test.ts',
  'test/layouts/formatted-templates.test.ts',
];
