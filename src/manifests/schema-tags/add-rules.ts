import { closestName } from 'ots-apimachinery/closest-name';
import { readRuleArguments } from '../tag-syntax/read-rule-arguments.ts';
import type { RuleArgument } from '../tag-syntax/read-rule-arguments.ts';
import { valueSpan } from '../tag-syntax/tag.ts';
import type { Tag } from '../tag-syntax/tag.ts';
import type { Fail } from './apply-tags.ts';
import { checkFieldPath } from './check-field-path.ts';
import { originKey } from '../schema/origin.ts';
import type { RuleOrigin } from '../schema/origin.ts';
import type { Schema, ValidationRule } from '../schema/schema.ts';
import { isUntyped } from './set-type.ts';

const texts = ['rule', 'message', 'messageExpression', 'reason', 'fieldPath'] as const;
const names = [...texts, 'optionalOldSelf'] as const;
const reasons = ['FieldValueInvalid', 'FieldValueForbidden', 'FieldValueRequired', 'FieldValueDuplicate'];
/**
 * Separates the rule from its message. CEL could contain ` -- ` in one odd place, which does not justify
 * another separator.
 */
const messageSeparator = /\s--\s/;

/**
 * Applies @validation and @cel. The rules of a field precede those of its type. Within each, they keep the
 * source order.
 */
export function addRules(schema: Schema, tags: readonly Tag[], failFor: (tag: Tag) => Fail): void {
  const rules = tags.map((tag) => readRule(schema, tag, failFor(tag))).filter((rule) => rule !== undefined);
  if (rules.length === 0) return;
  schema['x-kubernetes-validations'] = [...rules, ...(schema['x-kubernetes-validations'] ?? [])];
}

function readRule(schema: Schema, tag: Tag, fail: Fail): ValidationRule | undefined {
  const isShortForm = tag.form === 'tag' && tag.name.endsWith('cel');
  const read = isShortForm ? readRuleAndMessage(tag.value) : readRuleArguments(tag.value, names);
  if ('message' in read) {
    fail(`cannot be read: ${read.message}`, 'write {rule: "…", message: "…"}');
    return undefined;
  }
  const args = new Map<string, RuleArgument>();
  for (const argument of read) {
    const name = names.find((candidate) => candidate.toLowerCase() === argument.name.toLowerCase());
    if (!name) {
      const suggestion = closestName(argument.name, names);
      fail(
        `has no argument ${argument.name}`,
        suggestion ? `did you mean ${suggestion}?` : `it takes ${names.join(', ')}`,
      );
      return undefined;
    }
    if (args.has(name)) {
      fail(`has ${name} twice`);
      return undefined;
    }
    args.set(name, argument);
  }
  const problem = findProblem(schema, args);
  if (problem) {
    fail(...problem);
    return undefined;
  }
  const rule: ValidationRule = { rule: args.get('rule')!.value, [originKey]: originOf(tag, args) };
  for (const name of texts) {
    const value = args.get(name)?.value;
    if (value !== undefined) rule[name] = value;
  }
  if (args.has('optionalOldSelf')) rule.optionalOldSelf = args.get('optionalOldSelf')!.value === 'true';
  return rule;
}

/** Reads `rule -- message`. The message can continue over several lines. */
function readRuleAndMessage(text: string): RuleArgument[] {
  const separator = messageSeparator.exec(text);
  const end = separator?.index ?? text.length;
  const rule = argumentAt('rule', text.slice(0, end).trimEnd(), 0);
  if (!separator) return [rule];
  const start = end + separator[0].length;
  const message = argumentAt('message', text.slice(start), start);
  return [rule, { ...message, value: message.value.replaceAll(/\s+/g, ' ').trim() }];
}

function argumentAt(name: string, value: string, from: number): RuleArgument {
  const positions = Array.from({ length: value.length + 1 }, (_, index) => from + index);
  return { name, value, positions, from, to: from + value.length };
}

/**
 * Checks an entry of x-kubernetes-validations by the rules of apiextensions.k8s.io/v1, except for the CEL
 * itself.
 */
function findProblem(
  schema: Schema,
  args: ReadonlyMap<string, RuleArgument>,
): [message: string, hint?: string] | undefined {
  const rule = args.get('rule')?.value;
  const message = args.get('message')?.value;
  const fieldPath = args.get('fieldPath')?.value;
  const reason = args.get('reason')?.value;
  if (isUntyped(schema)) return ['cannot look into a value of any type', 'write object as the type'];
  if (!rule?.trim()) return ['needs a rule', 'write {rule: "self.min <= self.max", message: "…"}'];
  for (const name of ['message', 'messageExpression', 'fieldPath']) {
    const value = args.get(name)?.value;
    if (value !== undefined && value.trim() === '') return [`has an empty ${name}`, 'remove it'];
  }
  if (message !== undefined && /[\n\r]/.test(message.trim()))
    return ['has a message of several lines', 'write it in one line'];
  if (/[\n\r]/.test(rule.trim()) && message === undefined)
    return ['needs a message, because its rule has several lines', 'add message: "…"'];
  if (reason !== undefined && !reasons.includes(reason)) {
    const suggestion = closestName(reason, reasons);
    return [
      `cannot have the reason ${reason}`,
      suggestion ? `did you mean ${suggestion}?` : `it is one of ${reasons.join(', ')}`,
    ];
  }
  const flag = args.get('optionalOldSelf')?.value;
  if (flag !== undefined && flag !== 'true' && flag !== 'false')
    return ['has an optionalOldSelf that is neither true nor false'];
  return fieldPath === undefined ? undefined : checkFieldPath(schema, fieldPath);
}

function originOf(tag: Tag, args: ReadonlyMap<string, RuleArgument>): RuleOrigin {
  return {
    source: tag.source,
    span: tag.span,
    spanOf(name, from = 0, to) {
      const argument = args.get(name);
      if (!argument) return tag.span;
      const { positions, value } = argument;
      const start = positions[Math.min(from, value.length)]!;
      const end = to === undefined || to >= value.length ? positions.at(-1)! : positions[to]!;
      return valueSpan(tag, start, Math.max(end, start + 1));
    },
  };
}
