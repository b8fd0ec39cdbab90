import { describe, expect, test } from 'vitest';
import { checkTimeout } from './check-timeout.ts';

const check = (timeout: string) => () => checkTimeout(new URLSearchParams({ timeout }));

describe('the timeout of a request', () => {
  test.each(['', '0', '-0', '+5s', '-1.5h', '.5s', '1.s', '1h2m3.4s5ms6us7µs8ns'])('%j is one', (timeout) => {
    expect(check(timeout)).not.toThrow();
  });

  test.each([
    ['bad', 'invalid duration "bad"'],
    ['10', 'missing unit in duration "10"'],
    ['1s10', 'missing unit in duration "1s10"'],
    ['5S', 'unknown unit "S" in duration "5S"'],
    [' 5s', 'invalid duration " 5s"'],
    ['.', 'invalid duration "."'],
    ['.s', 'invalid duration ".s"'],
    ['-', 'invalid duration "-"'],
    ['99999999h', 'invalid duration "99999999h"'],
  ])('%j is none', (timeout, problem) => {
    expect(check(timeout)).toThrow(`invalid timeout specified in the request URL - time: ${problem}`);
  });
});
