import { expect, test } from 'vitest';
import { shutdownTimeoutOf } from './shutdown-timeout.ts';

test.each([
  [undefined, 30_000],
  ['1m', 60_000],
  [0, 0],
  ['infinite', Infinity],
  [-1, Infinity],
  ['-1ns', Infinity],
])('%j is %d ms', (timeout, milliseconds) => {
  expect(shutdownTimeoutOf(timeout)).toBe(milliseconds);
});

test('a value that is not a duration is refused', () => {
  expect(() => shutdownTimeoutOf('soon')).toThrow('"soon" is not a duration');
});
