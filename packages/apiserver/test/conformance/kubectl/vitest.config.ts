import { defineConfig } from 'vitest/config';
import { base } from '../../../../../test/support/vitest-base.ts';

/** kubectl against the embedded API server, and against a real one when KUBEBUILDER_ASSETS is set. */
export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: ['packages/apiserver/test/conformance/kubectl/*.test.ts'],
    isolate: false,
  },
});
