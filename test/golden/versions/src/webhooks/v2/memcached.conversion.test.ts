import { expect, it } from 'vitest';
import type { Memcached as Spoke } from '../../api/v2/memcached.ts';
import { memcachedV2Conversion } from './memcached.conversion.ts';

it('loses nothing on the way from v2 to v1 and back', () => {
  const spoke: Spoke = {
    apiVersion: 'cache.example.com/v2',
    kind: 'Memcached',
    metadata: { name: 'sample', labels: { team: 'red' } },
    spec: { message: 'Hello', replicas: 3, mode: 'Paused' },
    status: { observedGeneration: 2 },
  };

  const hub = memcachedV2Conversion.convertTo(spoke);

  expect(hub.apiVersion).toBe('cache.example.com/v1');
  expect(memcachedV2Conversion.convertFrom(hub)).toEqual(spoke);
});
