import { defineConfig } from 'vitest/config';
import { base } from '../../../../../test/support/vitest-base.ts';

/** kubectl against the embedded API server, against a real one when KUBEBUILDER_ASSETS is set, and against `ots apiserver --workloads`. */
export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: ['packages/apiserver/test/conformance/kubectl/*.test.ts', 'test/kubectl/*.test.ts'],
    isolate: false,
  },
});
