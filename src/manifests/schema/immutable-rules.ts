import { escapeProperty } from 'ots-cel';
import { marksKey } from './field-marks.ts';
import { mapSchema } from './map-schema.ts';
import { originKey, tagOrigin } from './origin.ts';
import type { Schema, ValidationRule } from './schema.ts';

/**
 * Adds to every object the rules that keep its optional immutable properties from being removed: the rule of a property itself is not asked
 * when the property is gone. That is left until a schema is finished, because `Partial` and `Required` change what is optional.
 * @returns the schema; parts in which nothing changes are the same objects as before
 */
export function withImmutableRules(root: Schema): Schema {
  return mapSchema(root, (schema) => {
    const rules = removalRules(schema);
    if (rules.length === 0) return schema;
    return {
      ...schema,
      'x-kubernetes-validations': [...rules, ...(schema['x-kubernetes-validations'] ?? [])],
    };
  });
}

function removalRules({ properties, required }: Schema): ValidationRule[] {
  const rules: ValidationRule[] = [];
  for (const [name, property] of properties ?? []) {
    const tag = property[marksKey]?.immutable;
    const escaped = escapeProperty(name);
    if (!tag || escaped === undefined || required?.includes(name)) continue;
    rules.push({
      rule: `!has(oldSelf.${escaped}) || has(self.${escaped})`,
      message: `field ${name} is immutable once set`,
      [originKey]: tagOrigin(tag),
    });
  }
  return rules;
}
