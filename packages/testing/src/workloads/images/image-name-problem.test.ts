import { expect, test } from 'vitest';
import { imageNameProblem } from './image-name-problem.ts';

const invalid = 'invalid reference format';

test.each([
  ['memcached', undefined],
  ['memcached:1.6-alpine_2', undefined],
  ['team/memcached', undefined],
  ['registry.example.com:5000/a/b__c/d-e:v1', undefined],
  ['localhost/app:1', undefined],
  ['Registry/app', undefined],
  [`app@sha256:${'a'.repeat(64)}`, undefined],
  [`app:1@sha256:${'a'.repeat(64)}`, undefined],
  ['Memcached:1', `${invalid}: repository name (library/Memcached) must be lowercase`],
  ['registry.example.com/Team/app', `${invalid}: repository name (Team/app) must be lowercase`],
  [':1', invalid],
  ['app:', invalid],
  ['app:1:2', invalid],
  ['https://registry.example.com/app', invalid],
  ['registry.example.com//app', invalid],
  ['app@sha256:abc', invalid],
  ['-app', invalid],
  ['a'.repeat(64), `invalid repository name (${'a'.repeat(64)}), cannot specify 64-byte hexadecimal strings`],
  [`team/${'x'.repeat(251)}`, 'repository name must not be more than 255 characters'],
])('%s: %s', (image, problem) => {
  expect(imageNameProblem(image)).toBe(problem);
});
