import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { Memcached as Spoke } from '../../api/v2/memcached.ts';
import { memcachedV2Conversion } from './memcached.conversion.ts';

it('is written', () => {
  const code = readFileSync(new URL('memcached.conversion.ts', import.meta.url), 'utf8');
  expect(code, 'Write the conversion, and remove its TODO').not.toContain('TODO: write');
});

it('loses nothing on the way from v2 to v1 and back', () => {
  // Give it every field that v2 has, above all those that v1 has not.
  const spoke = {
    apiVersion: 'cache.example.com/v2',
    kind: 'Memcached',
    metadata: { name: 'sample' },
  } as Spoke;

  const hub = memcachedV2Conversion.convertTo(spoke);

  expect(hub.apiVersion).toBe('cache.example.com/v1');
  expect(memcachedV2Conversion.convertFrom(hub)).toEqual(spoke);
});
