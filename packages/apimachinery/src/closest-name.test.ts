import { expect, test } from 'vitest';
import { closestName, editDistance } from './closest-name.ts';

test.each([
  ['replics', 'replicas'],
  ['relpicas', 'replicas'],
  ['Replicas', 'replicas'],
  ['repliccass', 'replicas'],
  ['rplcs', undefined],
  ['nmae', 'name'],
  ['nmea', undefined],
  ['ox', undefined],
  ['', undefined],
])('%s means %s', (name, expected) => {
  expect(closestName(name, ['name', 'replicas', 'on'])).toBe(expected);
});

test('the first of the nearest candidates is proposed', () => {
  expect(closestName('cat', ['bat', 'car', 'hat'])).toBe('bat');
  expect(closestName('words', ['wordsmith', 'words2', 'word'])).toBe('words2');
});

test('insertions, deletions, replacements and swaps of neighbors are counted', () => {
  expect(editDistance('', 'ab')).toBe(2);
  expect(editDistance('abcd', 'acbd')).toBe(1);
  expect(editDistance('kitten', 'sitting')).toBe(3);
});

test('a limit changes no distance below it', () => {
  const words = ['', 'a', 'ab', 'ba', 'abc', 'acb', 'bca', 'abcd', 'badc', 'xabc', 'abcx', 'axbxc'];
  for (const a of words) {
    for (const b of words) {
      const distance = editDistance(a, b);
      for (const limit of [0, 1, 2, 3]) {
        if (distance <= limit) expect(editDistance(a, b, limit)).toBe(distance);
        else expect(editDistance(a, b, limit)).toBeGreaterThan(limit);
      }
    }
  }
});

test('long names take no long time', () => {
  const long = 'x'.repeat(100_000);
  expect(closestName(`a${long}b`, [`b${long}a`])).toBe(`b${long}a`);
});
