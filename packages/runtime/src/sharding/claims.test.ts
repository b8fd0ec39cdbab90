import type { Lease } from 'ots-kubernetes/coordination/v1';
import { expect, test } from 'vitest';
import { claimsAnnotation, claimsOf, claimsText, hasScheme, shardScheme } from './claims.ts';
import { shardCount } from './shard-of.ts';

const scheme = shardScheme('namespace');

function leaseWith(text: string | undefined): Lease {
  const annotations = text === undefined ? {} : { [claimsAnnotation]: text };
  return { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'a', annotations } };
}

test.each([
  [[]],
  [[0]],
  [[0, 7, 8, 511, shardCount - 1]],
  [Array.from({ length: shardCount }, (_, shard) => shard)],
])('claims are read as they were written: %j', (shards) => {
  const text = claimsText(scheme, new Set(shards));
  expect(text.length).toBeLessThan(200);
  expect([...claimsOf(leaseWith(text), scheme)]).toEqual(shards);
});

test.each([
  ['there is no annotation', undefined],
  ['it cannot be read', 'garbage'],
  ['it is cut off', claimsText(scheme, new Set()).slice(0, -8)],
  ['its member divides by something else', claimsText(shardScheme('uid'), new Set())],
])('a Lease claims everything if %s', (_, text) => {
  expect(claimsOf(leaseWith(text), scheme).size).toBe(shardCount);
});

test('the two ways to divide have schemes of their own', () => {
  // That of UIDs changed with the hash: members of both never work beside each other.
  expect([shardScheme('namespace'), shardScheme('uid')]).toEqual(['v1/namespace/1024', 'v2/uid/1024']);
});

test('a scheme is recognized', () => {
  const lease = leaseWith(claimsText(shardScheme('uid'), new Set()));
  expect(hasScheme(lease, shardScheme('uid'))).toBe(true);
  expect(hasScheme(lease, scheme)).toBe(false);
});
