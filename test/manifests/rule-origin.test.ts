import { describe, expect, test } from 'vitest';
import { generateManifests } from '../../src/manifests/generate-manifests.ts';
import { originKey } from '../../src/manifests/schema/origin.ts';
import type { ValidationRule } from '../../src/manifests/schema/schema.ts';
import { apiSource } from './api-source.ts';
import { virtualFiles } from './virtual-files.ts';

/** The rules of the property `x` of the spec. */
function rulesOf(source: string): readonly ValidationRule[] {
  const { crds, diagnostics } = generateManifests(virtualFiles({ 'src/foo.ts': source }));
  expect(diagnostics).toEqual([]);
  const root = crds[0]!.spec.versions[0]!.schema.openAPIV3Schema;
  return root.properties!.get('spec')!.properties!.get('x')!['x-kubernetes-validations'] ?? [];
}

/** The text of the source where a part of an argument is said to be. */
function written(
  source: string,
  rule: ValidationRule,
  argument: keyof ValidationRule & string,
  part: string,
): string {
  const value = String(rule[argument]);
  const from = value.indexOf(part);
  expect(from).toBeGreaterThanOrEqual(0);
  const { start, end } = rule[originKey]!.spanOf(argument, from, from + part.length);
  return source.slice(start, end);
}

describe('a part of a rule is found in the source', () => {
  test.each([
    [
      'in double quotes, after escapes',
      `/** @validation {message: "m", rule: "self != '\\\\\\u0061\\t' && self != 'here'"} */`,
    ],
    [
      'in single quotes, after doubled ones',
      `/** @validation {rule: 'self != ''a'' && self != ''here''', message: m} */`,
    ],
    ['in backticks', "/** @validation {rule: `self != 'here'`} */"],
    ['without quotes', `/** @validation {rule: self != 'here', message: m} */`],
    ['as arguments', `/** @validation message="m", rule="self != 'here'" */`],
    [
      'after an escaped end of the comment',
      `/** @validation {rule: "self != 'a*\\/' && self != 'here'", message: m} */`,
    ],
    [
      'on its own line',
      `/**\n *  @validation {\n *    rule: "self != 'a' &&\n *      self != 'here'",\n *    message: m\n *  }\n */`,
    ],
    [
      'with line endings of Windows',
      `/**\r\n * @validation {rule: "self != 'a' &&\r\n *   self != 'here'", message: m}\r\n */`,
    ],
    ['with @cel', `/** Text. @cel self != 'here' -- m */`],
    ['with @cel over lines', `/**\n * @cel self != 'a' &&\n *   self != 'here' -- m\n */`],
    [
      'in a marker',
      `// +kubebuilder:validation:XValidation:message="m",rule="self != '\\\\\\\\' && self != 'here'"`,
    ],
    ['in a marker with backticks', "// +kubebuilder:validation:XValidation:rule=`self != 'here'`"],
    ['in a marker within a block', `/**\n * +kubebuilder:validation:XValidation:rule="self != 'here'"\n */`],
  ])('%s', (_, comment) => {
    const source = apiSource({ spec: `${comment}\nx: string;` });
    const [rule] = rulesOf(source);
    expect(written(source, rule!, 'rule', 'here')).toBe('here');
  });

  test('each argument by itself, as a whole', () => {
    const source = apiSource({
      spec: `/** @validation {rule: "true", messageExpression: "'é😀' + 'b'", fieldPath: ".a"} */\nx: { a?: string };`,
    });
    const [rule] = rulesOf(source);
    const text = (argument: string) => {
      const { start, end } = rule![originKey]!.spanOf(argument);
      return source.slice(start, end);
    };
    expect(text('rule')).toBe('true');
    expect(text('messageExpression')).toBe(`'é😀' + 'b'`);
    expect(text('fieldPath')).toBe('.a');
    expect(text('message')).toBe('@validation');
    expect(written(source, rule!, 'messageExpression', "'b'")).toBe("'b'");
  });

  test('an escape as it is written, and the end of the rule', () => {
    const source = apiSource({ spec: `/** @validation {rule: "self != '\\u0061'"} */\nx: string;` });
    const [rule] = rulesOf(source);
    expect(written(source, rule!, 'rule', 'a')).toBe('\\u0061');
    const { start, end } = rule![originKey]!.spanOf('rule', rule!.rule.length);
    expect([source.slice(start - 2, start), end]).toEqual([`1'`, start + 1]);
  });

  test('a rule that a tag expands to, as the value of the tag', () => {
    const source = apiSource({
      types: '/** @exactlyOneOf a b */ interface X { a?: string; b?: string }',
      spec: '/** @immutable */ x: X;',
    });
    const found = rulesOf(source).map((rule) => {
      const { start, end } = rule[originKey]!.spanOf('rule', 3, 9);
      return source.slice(start, end);
    });
    expect(found.toSorted()).toEqual(['@immutable', 'a b']);
  });
});
