import { describe, expect, test } from 'vitest';
import { parseDuration, parseLenientDuration } from './duration.ts';

const second = 1_000_000_000n;

describe('durations of Go', () => {
  test.each([
    ['0', 0n],
    ['-0', 0n],
    ['30s', 30n * second],
    ['1h30m', 5400n * second],
    ['-1.5s', -1_500_000_000n],
    ['+1.s', second],
    ['.5h', 1800n * second],
    ['10us', 10_000n],
    ['10\u00b5s', 10_000n],
    ['10\u03bcs', 10_000n],
    ['0.3333333333333333333h', 1_200_000_000_000n],
    ['00000000000000000000001s', second],
    ['9223372036854775807ns', 2n ** 63n - 1n],
    ['-9223372036854775808ns', -(2n ** 63n)],
  ])('%s', (text, nanoseconds) => {
    expect(parseDuration(text)).toBe(nanoseconds);
  });

  test.each([
    ['', 'invalid'],
    ['+', 'invalid'],
    ['++1s', 'invalid'],
    ['.s', 'invalid'],
    ['s', 'invalid'],
    ['30', 'missing unit in'],
    ['1s2', 'missing unit in'],
    ['30 s', 'unknown unit " s" in'],
    ['1d', 'unknown unit "d" in'],
    ['9223372036854775808ns', 'invalid'],
    ['9999999h', 'invalid'],
    ['1'.repeat(100_000), 'invalid'],
  ])('%j is refused', (text, problem) => {
    expect(parseDuration(text)).toBe(`time: ${problem} duration ${JSON.stringify(text)}`);
  });
});

describe('values of `format: duration`', () => {
  test.each([
    ['1h30m', 5400n * second],
    ['3 days', 3n * 86_400n * second],
    ['2 weeks and 1 hour', (2n * 604_800n + 3600n) * second],
    ['in 5 MINUTES', 300n * second],
    ['9999999999h', BigInt.asIntN(64, 9_999_999_999n * 3600n * second)],
  ])('%s', (text, nanoseconds) => {
    expect(parseLenientDuration(text)).toBe(nanoseconds);
  });

  test.each(['', 'soon', '5', '5 parsecs', '99999999999999999999 s', '9'.repeat(100_000)])(
    '%j is not one',
    (text) => {
      expect(parseLenientDuration(text)).toBeUndefined();
    },
  );
});
