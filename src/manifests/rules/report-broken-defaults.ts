import { validateRules } from 'ots-cel';
import type { Diagnostics } from '../diagnostics/diagnostics.ts';
import { originKey } from '../schema/origin.ts';
import type { Origin } from '../schema/origin.ts';
import type { JsonSchema } from '../schema/schema-json.ts';
import type { Schema } from '../schema/schema.ts';

/**
 * Reports defaults that break a rule of their own schema. The API server runs the rules on a default as if it
 * were newly written, and as if it replaced itself.
 * @param toJson returns a schema as plain JSON
 * @param kind the fallback location for errors
 */
export function reportBrokenDefaults(
  root: Schema,
  toJson: (schema: Schema) => JsonSchema,
  kind: Origin,
  diagnostics: Diagnostics,
): void {
  const seen = new Set<Schema>();
  visit(root, kind);

  function visit(schema: Schema, nearest: Origin): void {
    if (seen.has(schema)) return;
    seen.add(schema);
    const { source, span } = schema[originKey] ?? nearest;
    const value = schema.default;
    if (value !== undefined) {
      const json = toJson(schema);
      const [failure] = [...validateRules(json, value), ...validateRules(json, value, value)];
      if (failure) {
        const path = failure.path
          .map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`))
          .join('');
        const message = `the default breaks the rule "${failure.rule}"${path && ` (at ${path})`}: ${failure.message}`;
        diagnostics.error(source, span, 'rule-default', message, 'change the default or the rule');
      }
    }
    const children = [...(schema.properties?.values() ?? []), schema.items, schema.additionalProperties];
    for (const child of children) if (child) visit(child, { source, span });
  }
}
