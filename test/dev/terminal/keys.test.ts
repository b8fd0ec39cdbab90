import { expect, test } from 'vitest';
import { readKeys } from '../../../src/dev/terminal/keys.ts';

test('keys are read one by one from what a terminal sends', () => {
  expect(readKeys('q?\r')).toEqual(['q', '?', 'enter']);
  expect(readKeys('\u001B[A\u001BOBp\u001B')).toEqual(['up', 'down', 'p', 'escape']);
  expect(readKeys('\u0003\u000C')).toEqual(['ctrl-c', 'ctrl-l']);
});

test('other keys and sequences mean nothing, and their letters are not keys', () => {
  expect(readKeys('\u001B[3~\u001B[1;5C\u001B[?1;2c\u001BOP\u0001 é🚀')).toEqual([]);
});
