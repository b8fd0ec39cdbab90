import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findPattern } from './find-pattern.ts';
import { matchesPattern } from './matches-pattern.ts';

// Most facts about matches are in test-data/evaluations.json.
describe('a pattern', () => {
  test('is found exactly when it matches, and finds parts of the text in turn', () => {
    const pattern = fc
      .array(
        fc.constantFrom('a', 'b', '.', '[ab]', '(?:a|ab)', 'a*', 'b+?', 'a??', '\\b', '^', '$', '(?:|b)*'),
        { maxLength: 5 },
      )
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(pattern, fc.stringMatching(/^[abc]{0,8}$/), (source, text) => {
        const found = findPattern(source, text, Infinity)!;
        expect(found.length > 0).toBe(matchesPattern(source, text));
        let at = 0;
        for (const part of found) at = text.indexOf(part, at) + part.length;
        expect(at).toBeLessThanOrEqual(text.length);
      }),
    );
  });

  test('finds what JavaScript finds where the two agree on the rules', () => {
    const pattern = fc
      .array(
        fc.constantFrom('a', 'b', '.', '[ab]', '(?:a|ab)', '(?:ab|a)', 'a+', 'b+?', 'c{1,2}', 'a?', 'b??'),
        { minLength: 1, maxLength: 5 },
      )
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(pattern, fc.stringMatching(/^[abc]{0,10}$/), (source, text) => {
        expect(findPattern(source, text, 1)).toEqual(new RegExp(source).exec(text)?.slice(0, 1) ?? []);
      }),
    );
  });
});
