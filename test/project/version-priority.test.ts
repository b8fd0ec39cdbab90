import { expect, test } from 'vitest';
import { byVersionPriority } from '../../src/project/names/version-priority.ts';

test('versions are sorted as Kubernetes sorts them', () => {
  // The example of the documentation of Kubernetes.
  const sorted = [
    'v10',
    'v2',
    'v1',
    'v11beta2',
    'v10beta3',
    'v3beta1',
    'v12alpha1',
    'v11alpha2',
    'foo1',
    'foo10',
  ];
  expect(sorted.toReversed().toSorted(byVersionPriority)).toEqual(sorted);
  expect(sorted.toSorted(byVersionPriority)).toEqual(sorted);
  expect(['v1', 'v1'].toSorted(byVersionPriority)).toEqual(['v1', 'v1']);
});
