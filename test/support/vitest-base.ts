import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const packages = fileURLToPath(new URL('../../packages/', import.meta.url));

/** What every suite of tests has in common; vitest.config.ts and its relatives say which tests they run. */
export const base = defineConfig({
  resolve: {
    // Tests run on the sources of the workspace: no build stands between an edit and its test.
    alias: [
      { find: /^ots-(kubernetes|cel|runtime|apiserver|testing)$/, replacement: `${packages}$1/src/index.ts` },
      { find: /^ots-apimachinery\/(.+)$/, replacement: `${packages}apimachinery/src/$1.ts` },
      { find: 'ots-cel/correlated', replacement: `${packages}cel/src/evaluate/correlated.ts` },
      { find: /^ots-cel\/(pattern-.+)$/, replacement: `${packages}cel/src/pattern/$1.ts` },
      { find: 'ots-apiserver/decoding', replacement: `${packages}apiserver/src/decoding.ts` },
      { find: 'ots-apiserver/kustomize', replacement: `${packages}apiserver/src/kustomize.ts` },
      { find: 'ots-apiserver/validation', replacement: `${packages}apiserver/src/validation.ts` },
      { find: /^ots-runtime\/(.+)$/, replacement: `${packages}runtime/src/$1/$1.ts` },
      { find: /^ots-kubernetes\/(.+)$/, replacement: `${packages}kubernetes/src/$1.ts` },
    ],
  },
  test: {
    // For tests that hang. A test that works takes seconds, and on a machine that is busy with other things a minute.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    // One worker fewer, which is the default, leaves half of a machine with two cores idle.
    maxWorkers: '100%',
    // Transformed modules are kept, by the hash of their content: a run of some files takes a quarter less processor time.
    experimental: { fsModuleCache: true },
    setupFiles: [fileURLToPath(new URL('seed.ts', import.meta.url))],
  },
});
