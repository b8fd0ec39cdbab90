import { describe, expect, test } from 'vitest';
import { thing } from '../../test/thing.ts';
import { fieldMatcher } from './field-matcher.ts';
import { labelMatcher } from './label-matcher.ts';
import { labelSelectorText } from './label-selector-text.ts';
import type { LabelSelector } from './label-selector.ts';

const labels: Record<string, string>[] = [
  {},
  { a: 'b' },
  { a: '' },
  { a: 'c', x: '5' },
  { x: '10', in: 'notin' },
  { a: 'b', 'example.com/x': 'y' },
];

/** Which of the labels above meet the selector. */
function met(selector: string | LabelSelector): string {
  const matches = labelMatcher(selector);
  return labels.map((each) => (matches(each) ? '1' : '0')).join('');
}

// What labels.Parse of k8s.io/apimachinery 0.36.3 accepts, and which of the labels above match then.
describe('the text of a label selector', () => {
  test.each([
    ['', '111111', ''],
    ['  ', '111111', ''],
    ['a=b', '010001', 'a=b'],
    ['a==b', '010001', 'a=b'],
    ['a!=b', '101110', 'a!=b'],
    ['a in (c, b,b)', '010101', 'a in (b,c)'],
    ['a notin (b,c)', '101010', 'a notin (b,c)'],
    ['a', '011101', 'a'],
    ['!a', '100010', '!a'],
    ['a,!x', '011001', 'a,!x'],
    ['!x , a', '011001', 'a,!x'],
    ['a=', '001000', 'a='],
    ['a in ()', '001000', 'a='],
    ['a in (b,)', '011001', 'a in (,b)'],
    ['a in (,b)', '011001', 'a in (,b)'],
    ['x>4', '000110', 'x>4'],
    ['x < 6', '000100', 'x<6'],
    ['in', '000010', 'in'],
    ['in in (in,notin)', '000010', 'in in (in,notin)'],
    ['example.com/x in (y)', '000001', 'example.com/x=y'],
  ])('%j is met by %s and is %j in short', (text, expected, canonical) => {
    expect(met(text)).toBe(expected);
    expect(labelSelectorText(text)).toBe(canonical);
    expect(met(canonical)).toBe(expected);
  });

  test.each([
    ['a in (b', "unable to parse requirement: found '', expected: ',' or ')'"],
    ['a in b)', "unable to parse requirement: found 'b' expected: '('"],
    ['a=b,', "found '', expected: identifier after ','"],
    ['a,,b', "found ',', expected: identifier after ','"],
    ['a b', "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt"],
    ['a=b c', "found 'c', expected: ',' or 'end of string'"],
    ['!a=b', "found '=', expected: ',' or 'end of string'"],
    ['!!a', "unable to parse requirement: found '!', expected: identifier"],
    ['=b', "found '=', expected: !, identifier, or 'end of string'"],
    ['a==!b', "unable to parse requirement: found '!', expected: identifier"],
    ['x>abc', "values[0]: Invalid value: \"abc\": for 'Gt', 'Lt' operators, the value must be an integer"],
    ['/x', 'Invalid value: "/x": prefix part must be non-empty'],
    ['x/', 'Invalid value: "x/": name part must be non-empty'],
    ['a/b/c', 'Invalid value: "a/b/c": a valid label key must consist of'],
    ['Example.com/x', 'prefix part a lowercase RFC 1123 subdomain must consist of'],
    [`${'a'.repeat(64)}=b`, 'name part must be no more than 63 bytes'],
    ['é', "name part must consist of alphanumeric characters, '-', '_' or '.'"],
    ['a=-b', 'values[0][a]: Invalid value: "-b": a valid label must be an empty string or consist of'],
    [`a=${'b'.repeat(64)}`, 'must be no more than 63 bytes'],
  ])('%j is refused: %s', (text, message) => {
    expect(() => labelMatcher(text)).toThrow(
      expect.objectContaining({ code: 'SELECTOR_INVALID', message: expect.stringContaining(message) }),
    );
  });
});

describe('a LabelSelector', () => {
  test.each<[LabelSelector, string, string]>([
    [{}, '111111', ''],
    [{ matchLabels: { a: 'b' } }, '010001', 'a=b'],
    [{ matchLabels: { x: '5', a: 'c' } }, '000100', 'a=c,x=5'],
    [{ matchExpressions: [{ key: 'a', operator: 'In', values: ['c', 'b'] }] }, '010101', 'a in (b,c)'],
    [{ matchExpressions: [{ key: 'a', operator: 'NotIn', values: ['b'] }] }, '101110', 'a!=b'],
    [
      { matchLabels: { a: 'b' }, matchExpressions: [{ key: 'example.com/x', operator: 'DoesNotExist' }] },
      '010000',
      'a=b,!example.com/x',
    ],
    [{ matchExpressions: [{ key: 'x', operator: 'Exists' }] }, '000110', 'x'],
  ])('%j is met by %s and is %j as text', (selector, expected, text) => {
    expect(met(selector)).toBe(expected);
    expect(labelSelectorText(selector)).toBe(text);
  });

  test.each<[unknown, string]>([
    [{ matchExpressions: [{ key: 'a', operator: 'In' }] }, 'The operator In for the label a has no values'],
    [{ matchExpressions: [{ key: 'a', operator: 'Exists', values: ['b'] }] }, 'has values'],
    [
      { matchExpressions: [{ key: 'a', operator: 'Gt', values: ['1'] }] },
      '"Gt" for the label a does not exist',
    ],
    [{ matchLabels: { 'a b': 'c' } }, 'The label key "a b"'],
    [{ matchLabels: { a: 'b c' } }, 'The label value "b c"'],
  ])('%j is refused: %s', (selector, message) => {
    expect(() => labelSelectorText(selector as LabelSelector)).toThrow(message);
  });

  test('names of properties that every object has are labels only when they are set', () => {
    expect(labelMatcher('constructor')({})).toBe(false);
    expect(labelMatcher('!toString')(undefined)).toBe(true);
  });
});

describe('the text of a field selector', () => {
  test.each([
    ['', true],
    ['metadata.name=a', true],
    ['metadata.name==a,metadata.namespace=default', true],
    ['metadata.name!=a', false],
    ['metadata.namespace=other', false],
    [String.raw`metadata.name=a\,b`, false],
  ])('%j: %s', (text, expected) => {
    expect(fieldMatcher(text)?.(thing('a'))).toBe(expected);
  });

  test('fields that only the server supports are not guessed', () => {
    expect(fieldMatcher('spec.nodeName=n,metadata.name=a')).toBeUndefined();
  });

  test.each([
    ['a', "invalid selector: 'a'; can't understand 'a'"],
    ['a=b=c', 'invalid field selector: unescaped character in value: 61'],
    ['=b', 'a term names no field'],
    ['a,b=c', "invalid selector: 'a,b=c'; can't understand 'a'"],
  ])('%j is refused', (text, message) => {
    expect(() => fieldMatcher(text)).toThrow(
      `The field selector ${JSON.stringify(text)} is not valid: ${message}`,
    );
  });
});
