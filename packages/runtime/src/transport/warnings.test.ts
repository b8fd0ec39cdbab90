import { expect, test } from 'vitest';
import { distinctWarnings, parseWarnings } from './warnings.ts';

test.each<[string, string | string[] | undefined, string[]]>([
  ['none', undefined, []],
  ['one', '299 - "v1 Foo is deprecated"', ['v1 Foo is deprecated']],
  ['several in one header', '299 - "a", 299 - "b, c"', ['a', 'b, c']],
  ['several headers', ['299 - "a"', '299 - "b"'], ['a', 'b']],
  ['quotes and backslashes', '299 - "say \\"hi\\" \\\\ there", 299 - "b"', ['say "hi" \\ there', 'b']],
  ['a warning that looks like two', '299 - "a\\", 299 - \\"b"', ['a", 299 - "b']],
  ['a date after it', '299 host:80 "a" "Sat, 25 Aug 2012 23:34:45 GMT", 299 - "b"', ['a', 'b']],
  ['of a cache on the way', '110 cache "Response is stale"', []],
  ['no warning at all', 'nonsense', []],
])('%s', (_, header, expected) => {
  expect(parseWarnings(header)).toEqual(expected);
});

test('each text is forwarded once, in bounded memory', () => {
  const told: string[] = [];
  const tell = distinctWarnings((text) => told.push(text));
  for (const text of ['a', 'b', 'a', 'a']) tell(text);
  expect(told).toEqual(['a', 'b']);
  for (let index = 0; index < 499; index += 1) tell(`other ${index}`);
  // What was told last longest ago is forgotten first.
  tell('a');
  expect(told).toHaveLength(501);
  tell('b');
  expect(told.at(-1)).toBe('b');
});
