import { expect, test } from 'vitest';
import { cutText, widthOf } from '../../../src/dev/terminal/width.ts';

test.each([
  ['abc', 3],
  ['é', 1],
  ['e\u0301', 1],
  ['日本', 4],
  ['ｱ', 1],
  ['（', 2],
  ['🚀', 2],
  ['👨‍👩‍👧', 2],
  ['🇩🇪', 2],
  ['✔️', 2],
  ['→…●', 3],
  ['a\u200Bb', 2],
])('%s fills %i columns', (text, width) => {
  expect(widthOf(text)).toBe(width);
});

test('a text is cut between characters that a reader sees', () => {
  expect([cutText('abc', 2), cutText('日本', 3), cutText('a👨‍👩‍👧b', 2), cutText('e\u0301x', 1)]).toEqual([
    'ab',
    '日',
    'a',
    'e\u0301',
  ]);
});
