import { isObject, valueOf } from '../bundle/json.ts';
import type { TestResult, TestState } from './test-list.ts';

const states: readonly TestState[] = ['pass', 'fail', 'error'];

/**
 * The results that a custom test returned: one, a list of some, or `{results: [...]}` as a container prints it.
 *
 * @param name of results without one
 * @returns the results, or what is wrong with the value as one line
 */
export function customResults(value: unknown, name: string): TestResult[] | { readonly problem: string } {
  const list = valueOf(value, 'results') ?? value;
  const items: readonly unknown[] = Array.isArray(list) ? list : [list];
  if (items.length === 0) return { problem: 'the test returned no result' };
  const results: TestResult[] = [];
  for (const item of items) {
    const result = resultOf(item, name);
    if (typeof result === 'string') return { problem: result };
    results.push(result);
  }
  return results;
}

function resultOf(item: unknown, name: string): TestResult | string {
  if (!isObject(item)) return `the test returned ${shown(item)}, not a result such as {"state": "pass"}`;
  const state = states.find((each) => each === valueOf(item, 'state'));
  if (!state) return `the state of a result is ${shown(valueOf(item, 'state'))}, not ${states.join(', ')}`;
  const own = valueOf(item, 'name') ?? name;
  const log = valueOf(item, 'log') ?? '';
  const errors = valueOf(item, 'errors') ?? [];
  const suggestions = valueOf(item, 'suggestions') ?? [];
  if (typeof own !== 'string') return `the name of a result is ${shown(own)}, not a text`;
  if (typeof log !== 'string') return `the log of a result is ${shown(log)}, not a text`;
  if (!isTexts(errors)) return 'the errors of a result are not a list of texts';
  if (!isTexts(suggestions)) return 'the suggestions of a result are not a list of texts';
  return { name: own, state, errors, suggestions, log };
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
