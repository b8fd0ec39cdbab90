import { expect, test } from 'vitest';
import { packageName } from '../../src/project/names/package-name.ts';

test.each([
  ['jobwatcher', 'jobwatcher'],
  ['@acme/jobwatcher', '@acme/jobwatcher'],
  ['github.com/acme/JobWatcher', 'jobwatcher'],
  ['github.com/acme/jobwatcher/v2', 'jobwatcher'],
  ['github.com/acme/jobwatcher.git', 'jobwatcher'],
  // names of modules of Node and of our own dependencies are taken
  ['http', 'http-operator'],
  ['vitest', 'vitest-operator'],
  ['github.com/acme/ots', 'ots-operator'],
])('a project of the repo %s is the package %s', (repo, name) => {
  expect(packageName(repo)).toBe(name);
});
