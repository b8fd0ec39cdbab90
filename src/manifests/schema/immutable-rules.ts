import { escapeProperty } from 'ots-cel';
import { marksKey } from './field-marks.ts';
import { mapSchema } from './map-schema.ts';
import { originKey, tagOrigin } from './origin.ts';
import type { Schema, ValidationRule } from './schema.ts';

/**
 * Adds to every object the rules that keep its optional immutable properties from being removed. A property's
 * own rule is not evaluated when the property is missing. This happens on the finished schema because
 * `Partial` and `Required` change which properties are optional.
 * @returns the schema; unchanged parts are the same objects as before
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
