import { addConstraint } from './add-constraint.ts';
import { mapSchema } from './map-schema.ts';
import { originKey } from './origin.ts';
import type { Json, Schema, ValidationRule } from './schema.ts';
import { alternation, escapeRegex } from './regex.ts';

/**
 * Rewrites enums that can be null: kube-apiserver 1.36 rejects null for an enum even if the enum lists it. It
 * does not apply patterns and rules to null. This happens on the finished schema because tags read the enum.
 * @returns the schema; unchanged parts are the same objects as before
 */
export function withNullableEnums(root: Schema): Schema {
  return mapSchema(root, (schema) => {
    if (!schema.nullable || !schema.enum) return schema;
    const { enum: all, ...result } = schema;
    const values = all.filter((value) => value !== null);
    // A pattern does not count against the cost budget for rules.
    if (schema.type === 'string')
      addConstraint(result, 'pattern', patternOf(values.filter((value) => typeof value === 'string')));
    else
      result['x-kubernetes-validations'] = [
        ruleOf(values, schema),
        ...(schema['x-kubernetes-validations'] ?? []),
      ];
    return result;
  });
}

function patternOf(values: readonly string[]): string {
  return `^${alternation(values.map(escapeRegex))}$`;
}

function ruleOf(values: readonly Json[], { [originKey]: origin }: Schema): ValidationRule {
  const list = values.map((value) => JSON.stringify(value));
  const rule: ValidationRule = {
    rule: list.map((value) => `self == ${value}`).join(' || '),
    message: `must be null or one of ${list.join(', ')}`,
  };
  if (origin) rule[originKey] = { ...origin, spanOf: () => origin.span };
  return rule;
}
