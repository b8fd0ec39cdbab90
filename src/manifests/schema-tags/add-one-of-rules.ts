import { escapeProperty } from 'ots-cel';
import { closestName } from 'ots-apimachinery/closest-name';
import type { Tag } from '../tag-syntax/tag.ts';
import type { Fail } from './apply-tags.ts';
import { originKey, tagOrigin } from '../schema/origin.ts';
import { describeSchema } from '../schema/schema.ts';
import type { Schema, ValidationRule } from '../schema/schema.ts';

interface OneOf {
  readonly tag: string;
  readonly rule: (has: readonly string[]) => string;
  readonly message: (names: string) => string;
}

const count = (has: readonly string[]) => has.map((test) => `(${test}?1:0)`).join('+');

/** The rules that controller-gen writes, in its order. */
const oneOf: readonly OneOf[] = [
  {
    tag: 'atMostOneOf',
    rule: (has) => `${count(has)} <= 1`,
    message: (names) => `at most one of the fields in [${names}] may be set`,
  },
  {
    tag: 'exactlyOneOf',
    rule: (has) => `${count(has)} == 1`,
    message: (names) => `exactly one of the fields in [${names}] must be set`,
  },
  {
    tag: 'atLeastOneOf',
    rule: (has) => has.join('||'),
    message: (names) => `at least one of the fields in [${names}] must be set`,
  },
];

/** Applies @exactlyOneOf, @atMostOneOf and @atLeastOneOf. */
export function addOneOfRules(
  schema: Schema,
  groups: ReadonlyMap<string, readonly Tag[]>,
  failFor: (tag: Tag) => Fail,
): void {
  const rules: ValidationRule[] = [];
  for (const { tag: name, rule, message } of oneOf) {
    for (const tag of groups.get(name) ?? []) {
      const names = readNames(schema, tag, failFor(tag));
      if (!names) continue;
      const has = names.map((property) => `has(self.${escapeProperty(property)})`);
      rules.push({ rule: rule(has), message: message(names.join(' ')), [originKey]: tagOrigin(tag) });
    }
  }
  if (rules.length === 0) return;
  schema['x-kubernetes-validations'] = [...(schema['x-kubernetes-validations'] ?? []), ...rules];
}

function readNames(schema: Schema, tag: Tag, fail: Fail): string[] | undefined {
  const names = tag.value
    .replace(/^[[{]([^]*)[\]}]$/, '$1')
    .split(/[\s,;]+/)
    .map((name) => name.replace(/^(["'`])(.*)\1$/, '$2'))
    .filter((name) => name !== '');
  const problem = findProblem(schema, names);
  if (!problem) return names;
  fail(...problem);
  return undefined;
}

function findProblem(schema: Schema, names: readonly string[]): [message: string, hint?: string] | undefined {
  const { properties, required } = schema;
  if (!properties) return [`is for objects with properties, and this is ${describeSchema(schema)}`];
  if (names.length === 0) return ['needs the names of properties', 'separate them with spaces'];
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) return [`names ${repeated} twice`];
  for (const name of names) {
    if (!properties.has(name)) {
      if (name.includes('.')) return [`names ${name}, but takes only properties of the type itself`];
      const suggestion = closestName(name, properties.keys());
      const hint = suggestion ? `did you mean ${suggestion}?` : `it has ${[...properties.keys()].join(', ')}`;
      return [`names ${name}, which the type does not have`, hint];
    }
    if (required?.includes(name)) return [`names ${name}, which is required`, `write a \`?\` after ${name}`];
    if (escapeProperty(name) === undefined) return [`names ${name}, which rules cannot refer to`];
  }
  return undefined;
}
