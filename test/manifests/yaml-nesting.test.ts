import { parse } from 'yaml';
import { describe, expect, test } from 'vitest';
import { isYamlTooDeep } from '../../src/manifests/source/yaml-nesting.ts';

const lines = (count: number, line: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => line(index)).join('\n');

/** Texts with a number of levels. */
const forms: Record<string, (levels: number) => string> = {
  lists: (levels) => '['.repeat(levels) + ']'.repeat(levels),
  'lists without an end': (levels) => '['.repeat(levels),
  'maps in braces': (levels) => '{a: '.repeat(levels) + '1' + '}'.repeat(levels),
  'block lists in one line': (levels) => `${'- '.repeat(levels)}a`,
  'block lists in lines': (levels) => lines(levels, (index) => `${' '.repeat(index)}-`),
  'keys with question marks': (levels) => `${'? '.repeat(levels)}a`,
  maps: (levels) => lines(levels, (index) => `${' '.repeat(index)}a:`),
  'brackets over lines': (levels) => lines(levels, () => '['),
  'lists in maps': (levels) => lines(levels / 2, (index) => `${' '.repeat(index)}a: [`),
};

describe.each(Object.entries(forms))('%s', (_, form) => {
  test('are too deep beyond 500 levels, which the parser would survive only by chance', () => {
    for (const levels of [600, 1000, 5000]) expect(isYamlTooDeep(form(levels))).toBe(true);
  });

  test('are not too deep with 200 levels', () => {
    expect(isYamlTooDeep(form(200))).toBe(false);
  });
});

test('long texts that do not nest are not too deep', () => {
  const flat = lines(5000, (index) => `- name: a${index}\n  list: [a, {b: c}]\n  text: "x"`);
  expect(isYamlTooDeep(flat)).toBe(false);
  expect(parse(flat)).toHaveLength(5000);
});
