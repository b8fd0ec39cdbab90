import { expect, test } from 'vitest';
import { RuntimeError } from '../errors/runtime-error.ts';
import { Pattern, PatternError } from './pattern.ts';

function failure(run: () => unknown): PatternError {
  try {
    run();
  } catch (error) {
    return error as PatternError;
  }
  return expect.unreachable('it must fail');
}

test.each([
  ['^web-[0-9]+$', 'web-12', true],
  ['^web-[0-9]+$', 'web-', false],
  ['b', 'abc', true],
  ['(?i)^ABC', 'abcd', true],
  [String.raw`\pL`, 'ä', true],
  ['', '', true],
  // RegExp takes twice as long for each further letter.
  ['^(a+)+$', `${'a'.repeat(60)}b`, false],
])('%j matches %j: %j', (source, text, expected) => {
  const pattern = new Pattern(source);
  expect(pattern.source).toBe(source);
  expect(pattern.test(text)).toBe(expected);
  expect(pattern.test(text)).toBe(expected);
});

test.each(['(', '[z-a]', 'a**', String.raw`(a)\1`, '(?=a)', 'x{2000}'])(
  '%j is refused, with what is wrong',
  (source) => {
    const error = failure(() => new Pattern(source));
    expect(error).toBeInstanceOf(PatternError);
    expect(error).toBeInstanceOf(RuntimeError);
    expect(error).toMatchObject({ name: 'PatternError', code: 'PATTERN' });
    expect(error.message).toBe(
      `${JSON.stringify(source)} is not a valid pattern: ${(error.cause as Error).message}`,
    );
    expect(error.hint).not.toBe('');
  },
);

test('a pattern that is too large is refused, and the message stays short', () => {
  expect(failure(() => new Pattern('x{1000}'.repeat(60))).message).toContain('is too large');
  expect(failure(() => new Pattern(`(${'a'.repeat(100_000)}`)).message.length).toBeLessThan(400);
  const slow = new Pattern('[ab]*a[ab]{900}c');
  // Of no period, so that hardly a situation comes again.
  const text = Array.from({ length: 50_000 }, (_, at) =>
    ((at * at * 7919) % 104_729) % 2 === 0 ? 'a' : 'b',
  );
  const error = failure(() => slow.test(text.join('')));
  expect(error).toMatchObject({ code: 'PATTERN', message: expect.stringContaining('takes too long') });
});
