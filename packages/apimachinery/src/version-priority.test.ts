import { describe, expect, test } from 'vitest';
import { compareVersions } from './version-priority.ts';

describe('versions are sorted', () => {
  test.each([
    [
      'as in the documentation of Kubernetes',
      ['v10', 'v2', 'v1', 'v11beta2', 'v10beta3', 'v3beta1', 'v12alpha1', 'v11alpha2', 'foo1', 'foo10'],
    ],
    // As kube-apiserver 1.36 lists the versions of a group with these.
    [
      'with zeros and numbers of any size',
      [
        'v9223372036854775807',
        'v10',
        'v2',
        'v1',
        'v0',
        'v1beta1',
        'v1alpha0',
        'v0alpha1',
        'a1',
        'foo',
        'v1beta',
        'v2alpha9223372036854775808',
        'v9223372036854775808',
        'v99999999999999999999',
      ],
    ],
  ])('%s', (_, sorted) => {
    expect(sorted.toReversed().toSorted(compareVersions)).toStrictEqual(sorted);
    expect(sorted.toSorted(compareVersions)).toStrictEqual(sorted);
  });
});

test.each([
  ['v1', 'v1'],
  ['foo', 'foo'],
  ['v1', 'v01'],
  ['v1beta1', 'v1beta01'],
])('%s and %s have the same priority', (a, b) => {
  expect(compareVersions(a, b)).toBe(0);
  expect(compareVersions(b, a)).toBe(0);
});
