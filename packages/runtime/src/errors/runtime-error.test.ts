import { expect, test } from 'vitest';
import { UsageError } from './usage-error.ts';

test('errors leave the property `stacks` to Vitest, whose reporter expects a list there', () => {
  expect('stacks' in new UsageError('A wrong argument', 'Give another.')).toBe(false);
});
