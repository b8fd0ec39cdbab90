import { expect, test } from 'vitest';
import { parseImage, pinnedImage } from '../../src/images/image-reference.ts';

const digest = `sha256:${'ab'.repeat(32)}`;

test.each<[text: string, registry: string, repository: string, version: string]>([
  ['memcached', 'docker.io', 'library/memcached', 'latest'],
  ['memcached:1.6-alpine', 'docker.io', 'library/memcached', '1.6-alpine'],
  ['acme/app', 'docker.io', 'acme/app', 'latest'],
  ['docker.io/memcached:1', 'docker.io', 'library/memcached', '1'],
  ['index.docker.io/acme/app:1', 'docker.io', 'acme/app', '1'],
  ['ghcr.io/acme/app:v1', 'ghcr.io', 'acme/app', 'v1'],
  ['localhost/app', 'localhost', 'app', 'latest'],
  ['localhost:5000/a/b/c:v1', 'localhost:5000', 'a/b/c', 'v1'],
  [`ghcr.io/acme/app:v1@${digest}`, 'ghcr.io', 'acme/app', digest],
  [`ghcr.io/acme/app@${digest}`, 'ghcr.io', 'acme/app', digest],
])('%s is in %s', (text, registry, repository, version) => {
  const isPinned = version.startsWith('sha256:');
  expect(parseImage(text)).toEqual({ registry, repository, version, isPinned });
});

test('a pinned image has its whole name', () => {
  expect(pinnedImage(parseImage('memcached:1.6'), digest)).toBe(`docker.io/library/memcached@${digest}`);
  expect(pinnedImage(parseImage('localhost:5000/app'), digest)).toBe(`localhost:5000/app@${digest}`);
});

test.each(['', 'App', 'ghcr.io/acme/app:', 'ghcr.io/../app', 'a@sha256:12', 'ghcr.io/app?x=1', 'a b'])(
  '%j is refused',
  (text) => expect(() => parseImage(text)).toThrow(expect.objectContaining({ code: 'INVALID_IMAGE' })),
);
