import { expect, test } from 'vitest';
import { kebabCase } from '../../src/project/names/kebab-case.ts';

test.each([
  ['JobWatcher', 'job-watcher'],
  ['Captain', 'captain'],
  ['HTTPRoute', 'http-route'],
  ['DNS', 'dns'],
  ['MyAPIServer', 'my-api-server'],
  ['S3Bucket', 's3-bucket'],
  ['K', 'k'],
  ['OAuth2', 'o-auth2'],
])('%s has files named %s', (kind, file) => {
  expect(kebabCase(kind)).toBe(file);
});
