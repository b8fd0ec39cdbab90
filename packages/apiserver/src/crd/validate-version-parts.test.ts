import type { CustomResourceDefinitionVersion } from 'ots-kubernetes/apiextensions/v1';
import { expect, test } from 'vitest';
import { validateVersionParts } from './validate-version-parts.ts';

test('ten times the versions cost ten times the reads', () => {
  const readsOf = (count: number) => {
    let reads = 0;
    const version: CustomResourceDefinitionVersion = {
      name: 'v1',
      served: true,
      storage: true,
      get schema() {
        reads += 1;
        return {};
      },
    };
    validateVersionParts(Array.from({ length: count }, () => version));
    return reads;
  };
  expect(readsOf(1000) / readsOf(100)).toBeCloseTo(10, 0);
});
