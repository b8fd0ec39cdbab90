import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { longTests } from './test/support/long-tests.ts';
import { filesWithOwnProcess } from './test/support/own-process.ts';
import { base } from './test/support/vitest-base.ts';

const include = ['test/**/*.test.ts', 'packages/*/{src,test}/**/*.test.ts'];
const exclude = [
  ...longTests,
  'test/golden/**',
  'test/integration/**',
  'test/examples/**',
  'test/manifests/controller-gen/**',
  // Needs Chromium: npm run test:page.
  'test/page/**',
  // Needs the recorded verdicts: npm run test:olm.
  'test/olm/corpus/**',
  'packages/runtime/test/soak/**',
  // Needs kubectl: npm run test:kubectl.
  'packages/apiserver/test/conformance/kubectl/**',
  'test/kubectl/**',
  '**/node_modules/**',
];
const ownProcess = filesWithOwnProcess(fileURLToPath(new URL('.', import.meta.url)), ['test', 'packages']);

export default defineConfig(({ mode }) => ({
  ...base,
  test: {
    ...base.test,
    setupFiles: ['test/support/seed.ts', 'test/support/frozen-store.ts'],
    // In this order: Vitest sorts projects by name.
    projects: [
      { extends: true, mode, test: { name: 'alone', include: ownProcess, exclude } },
      {
        extends: true,
        mode,
        test: { name: 'together', include, exclude: [...exclude, ...ownProcess], isolate: false },
      },
    ],
  },
}));
