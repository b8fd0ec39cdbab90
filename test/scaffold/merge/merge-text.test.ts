import { expect, test } from 'vitest';
import { mergeText } from '../../../src/scaffold/merge/merge-text.ts';

const labels = { ours: 'yours', theirs: 'ots 2' };
const merge = (base: string, ours: string, theirs: string) => mergeText(base, ours, theirs, labels);

test('changes in different lines are both in the result', () => {
  const merged = merge('a\nb\nc\nd\n', 'A\nb\nc\nd\n', 'a\nb\nc\nD\ne\n');
  expect(merged).toEqual({ text: 'A\nb\nc\nD\ne\n', conflicts: 0 });
});

test('the same change on both sides is not a conflict', () => {
  expect(merge('a\nb\n', 'a\nc\n', 'a\nc\n')).toEqual({ text: 'a\nc\n', conflicts: 0 });
});

test('changes of the same line are marked as git marks them', () => {
  const { text, conflicts } = merge('a\nb\n', 'a\nmine\n', 'a\nyours\n');
  expect(text).toBe('a\n<<<<<<< yours\nmine\n=======\nyours\n>>>>>>> ots 2\n');
  expect(conflicts).toBe(1);
});

test('the result has the line endings of the author, and a missing newline at the end stays missing', () => {
  expect(merge('a\nb\nc', 'a\r\nb\r\nC', 'A\nb\nc').text).toBe('A\r\nb\r\nC');
});
