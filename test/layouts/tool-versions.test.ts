import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

interface Manifest {
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
}

function manifest(path: string): Manifest {
  return JSON.parse(readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')) as Manifest;
}

test.each(['oxfmt', 'oxlint', 'oxlint-tsgolint', 'typescript', 'vite', 'vitest', '@types/node'])(
  'a project gets the version of %s that ots is built and tested with',
  (name) => {
    const ots = manifest('package.json');
    const project = manifest('test/golden/jobwatcher/package.json');
    expect(project.devDependencies[name]).toBe({ ...ots.devDependencies, ...ots.dependencies }[name]);
  },
);
