import type { Diagnostics } from '../diagnostics/diagnostics.ts';
import { openKey } from '../schema/open-type.ts';
import type { Schema } from '../schema/schema.ts';
import { acceptAnyValue } from '../schema-tags/set-type.ts';

/**
 * Reports `unknown` and similar types if the tags of the property do not say how to handle the value.
 * @returns the schema without these notes, so each is reported once
 */
export function reportOpenTypes(schema: Schema, diagnostics: Diagnostics): Schema {
  const { items, additionalProperties } = schema;
  const closedItems = items && reportOpenTypes(items, diagnostics);
  const closedValues = additionalProperties && reportOpenTypes(additionalProperties, diagnostics);
  let result = schema;
  if (closedItems !== items) result = { ...result, items: closedItems! };
  if (closedValues !== additionalProperties) result = { ...result, additionalProperties: closedValues! };
  const open = result[openKey];
  if (!open) return result;
  diagnostics.error(open.source, open.span, 'unsupported-type', open.message, open.hint);
  result = { ...result };
  acceptAnyValue(result);
  return result;
}
