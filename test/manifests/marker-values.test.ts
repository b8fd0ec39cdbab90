import { describe, expect, test } from 'vitest';
import { parseMarkerValue } from '../../src/manifests/tag-syntax/parse-marker-value.ts';
import { scanQuoted } from '../../src/manifests/tag-syntax/scan-quoted.ts';

// What controller-gen makes of the same values (its `any` arguments).
describe('the value of a marker', () => {
  test.each<[string, unknown]>([
    ['some string here!', 'some string here!'],
    ['"some; string, \\nhere"', 'some; string, \nhere'],
    ['`some; string, \\nhere`', 'some; string, \\nhere'],
    ['42', 42],
    ['-42', -42],
    ['1.5', 1.5],
    ['true', true],
    ['false', false],
    ['trueish', 'trueish'],
    ["hi;hello;hey y'all", ['hi', 'hello', "hey y'all"]],
    ["{hi,hello,hey y'all}", ['hi', 'hello', "hey y'all"]],
    [
      '{1;1,2;3,5;8}',
      [
        [1, 1],
        [2, 3],
        [5, 8],
      ],
    ],
    [
      '{{1,1},{2,3},{5,8}}',
      [
        [1, 1],
        [2, 3],
        [5, 8],
      ],
    ],
    ['{}', {}],
    ['{{}}', [{}]],
    ['{formal: hello, `informal`: `hi!`}', { formal: 'hello', informal: 'hi!' }],
    [
      '{text: "abc", len: 3, "as bytes": 97;98;99, props: {encoding: ascii, nullsafe: true, tags: {"triple", "in a row"}}}',
      {
        text: 'abc',
        len: 3,
        'as bytes': [97, 98, 99],
        props: { encoding: 'ascii', nullsafe: true, tags: ['triple', 'in a row'] },
      },
    ],
    ['087bdd', '087bdd'],
    ['/tmp/tmp.4paHkdEcpK', '/tmp/tmp.4paHkdEcpK'],
    ['123/config', '123/config'],
    ['0987', '0987'],
    ['100Mi', '100Mi'],
    ['2024-01-15', '2024-01-15'],
    ['sha256:08a7b', 'sha256:08a7b'],
    ['00000000-1234-5678', '00000000-1234-5678'],
    ['123abc', '123abc'],
    ['{__proto__: 1}', JSON.parse('{"__proto__": 1}')],
  ])('%s', (text, value) => {
    expect(parseMarkerValue(text)).toEqual(value);
    expect(JSON.stringify(parseMarkerValue(text))).toBe(JSON.stringify(value));
  });

  test.each<[string, RegExp]>([
    ['', /a value is missing/],
    ['{a', /a \} is missing/],
    ['{a: 1', /a \} is missing/],
    ['{a: }', /a value is missing/],
    ['{,}', /a value is missing/],
    ['a;', /a value is missing/],
    ['a,b', /unexpected ,b/],
    ['{a} b', /unexpected b/],
    ['"a', /unclosed/],
    ['"\\d"', /\\d is not an escape/],
    ['{'.repeat(5000), /is nested too deeply/],
  ])('is refused: %s', (text, message) => {
    expect(() => parseMarkerValue(text)).toThrow(message);
  });
});

describe('a text in quotes', () => {
  test.each([
    ['"\\x41\\u00e9\\U0001F600\\t\\/"', 'Aé😀\t/'],
    ["'it''s \\d'", "it's \\d"],
    ['`\\d"\'`', '\\d"\''],
    ['"a*\\/b"', 'a*/b'],
  ])('%s', (text, value) => {
    const quoted = scanQuoted(text, 0);
    if ('message' in quoted) throw new Error(quoted.message);
    expect(quoted.value).toBe(value);
    expect(quoted.positions).toHaveLength(value.length + 1);
    expect(quoted.end).toBe(text.length);
  });

  test.each(['"\\U00110000"', '"\\x4"', '"a', "'a''", '`a', '"\\'])('is refused: %s', (text) => {
    expect(scanQuoted(text, 0)).toHaveProperty('message');
  });
});
