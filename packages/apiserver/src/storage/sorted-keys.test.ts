import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { SortedKeys } from './sorted-keys.ts';

test('keys added in any order are found in order, by prefix and from any key', () => {
  const all = Array.from({ length: 3000 }, (_, index) => `${index % 3}/n${index}`);
  fc.assert(
    fc.property(fc.shuffledSubarray(all, { minLength: 2000 }), fc.constantFrom(...all), (keys, from) => {
      const sorted = new SortedKeys();
      for (const key of keys) sorted.add(key);
      const gone = new Set(keys.slice(0, 900));
      for (const key of gone) sorted.delete(key);
      const left = keys.filter((key) => !gone.has(key)).toSorted();
      expect([...sorted.startingWith('')]).toStrictEqual(left);
      const some = left.filter((key) => key.startsWith('1/') && key >= from);
      expect([...sorted.startingWith('1/', from)]).toStrictEqual(some);
      expect(sorted.count('1/', from)).toBe(some.length);
    }),
    { numRuns: 20 },
  );
});
