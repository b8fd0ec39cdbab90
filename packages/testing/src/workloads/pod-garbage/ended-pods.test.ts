import { expect, test } from 'vitest';
import { excessPods } from './ended-pods.ts';

const pod = (name: string, second: number, reason?: string) => ({
  apiVersion: 'v1' as const,
  kind: 'Pod' as const,
  metadata: { name, creationTimestamp: `2026-01-01T00:00:0${second}Z` },
  status: { phase: 'Failed' as const, ...(reason !== undefined && { reason }) },
});
const pods = [
  pod('new', 3),
  pod('old-b', 1),
  pod('old-a', 1),
  pod('evicted', 4, 'Evicted'),
  pod('middle', 2),
];

test.each([
  [5, []],
  [4, ['evicted']],
  [2, ['evicted', 'old-a', 'old-b']],
])('of 5 pods that have ended, %i stay: evicted ones go first, then the oldest', (limit, gone) => {
  expect(excessPods(pods, limit).map(({ metadata }) => metadata.name)).toEqual(gone);
});
