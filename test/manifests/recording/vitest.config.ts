import { fileURLToPath } from 'node:url';
import { defineConfig, mergeConfig } from 'vitest/config';
import { base } from '../../support/vitest-base.ts';

// The tests of the generator once more, keeping every CRD that they generate for recorded.test.ts.
const config = mergeConfig(
  base,
  defineConfig({ test: { setupFiles: [fileURLToPath(new URL('record-crds.ts', import.meta.url))] } }),
);
config.test!.include = ['test/manifests/*.test.ts'];
config.test!.exclude = ['test/manifests/oracle*'];
export default config;
