import { expect, test } from 'vitest';
import { editYaml } from '../../src/project/yaml/edit-yaml.ts';

const names = ['a', 'b', 'c', 'd', 'e'];

/** Every set of names that can be removed from the five. */
const removals = Array.from({ length: 31 }, (_, bits) => names.filter((_name, index) => bits & (1 << index)));

function json(kept: readonly string[]): string {
  return `${JSON.stringify({ scripts: Object.fromEntries(kept.map((name) => [name, `run ${name}`])) }, null, 2)}\n`;
}

test.each(removals.map((removed) => [removed]))('JSON without %j is formatted as before', (removed) => {
  const kept = names.filter((name) => !removed.includes(name));
  const scripts = Object.fromEntries(kept.map((name) => [name, `run ${name}`]));
  expect(editYaml(json(names), () => ({ scripts }))).toBe(json(kept));
});

test.each([
  ['list: [a, b, c, d, e]\n', ['a', 'b'], 'list: [a, b]\n'],
  ['list: [a, b, c, d, e]\n', ['c', 'e'], 'list: [c, e]\n'],
  ['list: [ a, b, c ] # ours\n', ['b'], 'list: [ b ] # ours\n'],
  ['list: [a, b,]\n', ['a'], 'list: [a,]\n'],
])('%j with only %j is %j', (text, list, expected) => {
  expect(editYaml(text, () => ({ list }))).toBe(expected);
});
