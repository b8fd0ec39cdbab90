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
  const forwarded: string[] = [];
  const warn = distinctWarnings((text) => forwarded.push(text));
  for (const text of ['a', 'b', 'a', 'a']) warn(text);
  expect(forwarded).toEqual(['a', 'b']);
  for (let index = 0; index < 499; index += 1) warn(`other ${index}`);
  // What was forwarded last longest ago is forgotten first.
  warn('a');
  expect(forwarded).toHaveLength(501);
  warn('b');
  expect(forwarded.at(-1)).toBe('b');
});
