import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { assertFreshBuild } from '../support/assert-fresh-build.ts';
import { examples } from '../support/examples.ts';
import { base } from '../support/vitest-base.ts';

// The operators load the packages as their users do: built, and not transformed, which takes as long as half of their tests.
assertFreshBuild();

/** The suites of the operators in examples/, each in its own project, and what all of them must pass. */
export default defineConfig(({ mode }) => ({
  ...base,
  test: {
    ...base.test,
    projects: [
      { extends: true, mode, test: { name: 'examples', include: ['test/examples/**/*.test.ts'] } },
      ...examples.map(({ name, directory }) => ({
        root: directory,
        test: {
          ...base.test,
          name,
          include: ['src/**/*.test.ts'],
          server: { deps: { external: [/\/packages\/\w+\/dist\//] } },
          // Paths in a test start at the directory of its project.
          env: {
            PROJECT_DIRECTORY: directory,
            ...(mode === 'thorough' && { CONVERGENCE_WRITES: '1000' }),
          },
          setupFiles: [fileURLToPath(new URL('in-its-project.ts', import.meta.url))],
        },
      })),
    ],
  },
}));
