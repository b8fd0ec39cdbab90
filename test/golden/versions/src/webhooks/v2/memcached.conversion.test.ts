import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Memcached as Spoke } from '../../api/v2/memcached.ts';
import { memcachedV2Conversion } from './memcached.conversion.ts';

test('the conversion is written', () => {
  const code = readFileSync(new URL('memcached.conversion.ts', import.meta.url), 'utf8');
  expect(code, 'Write the conversion, and remove its TODO').not.toContain('TODO: write');
});

test('converting v2 to v1 and back loses nothing', () => {
  // Set every field of v2, above all those that v1 does not have.
  const spoke = {
    apiVersion: 'cache.example.com/v2',
    kind: 'Memcached',
    metadata: { name: 'sample' },
  } as Spoke;

  const hub = memcachedV2Conversion.convertTo(spoke);

  expect(hub.apiVersion).toBe('cache.example.com/v1');
  expect(memcachedV2Conversion.convertFrom(hub)).toEqual(spoke);
});
