import { constrainToo } from './constrain-too.ts';
import { mapSchema } from './map-schema.ts';
import { originKey } from './origin.ts';
import type { Json, Schema, ValidationRule } from './schema.ts';
import { alternation, escapeRegex } from './regex.ts';

/**
 * Writes enums that can be null in another way: kube-apiserver 1.36 takes no null where there is an enum, not even when the enum lists it. It asks
 * neither patterns nor rules about null. That is left until a schema is finished, because tags look at the enum.
 * @returns the schema; parts in which nothing changes are the same objects as before
 */
export function withNullableEnums(root: Schema): Schema {
  return mapSchema(root, (schema) => {
    if (!schema.nullable || !schema.enum) return schema;
    const { enum: all, ...result } = schema;
    const values = all.filter((value) => value !== null);
    // A pattern costs nothing of the budget for rules.
    if (schema.type === 'string')
      constrainToo(result, 'pattern', patternOf(values.filter((value) => typeof value === 'string')));
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
