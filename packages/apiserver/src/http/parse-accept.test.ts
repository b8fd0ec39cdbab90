import { expect, test } from 'vitest';
import { parseAccept } from './parse-accept.ts';

test.each([
  ['a/b;q=0.5, c/d', ['c/d', 'a/b']],
  ['*/*, application/*, a/b', ['a/b', 'application/*', '*/*']],
  ['a/b;q=0.1, */*;q=0.9', ['*/*', 'a/b']],
  ['A/B ; AS = "Table" ;v=v1', ['a/b']],
  ['a/b;q=nonsense', ['a/b']],
  [',, ;', []],
])('%s', (header, types) => {
  expect(parseAccept(header).map(({ type }) => type)).toStrictEqual(types);
});

test('the names of parameters are lower case', () => {
  const [clause] = parseAccept('A/B ; AS = "Table" ;v=v1');
  expect(Object.fromEntries(clause?.parameters ?? [])).toStrictEqual({ as: 'Table', v: 'v1' });
});
