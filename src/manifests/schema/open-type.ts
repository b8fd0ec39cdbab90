import type { SourceText, Span } from '../source/source-text.ts';

/**
 * The key of the note that a type without a schema (`unknown`, `object`, `any`, `Record<string, unknown>`)
 * leaves on its schema. A symbol survives copies of the schema and does not appear in YAML and JSON. Tags
 * that say how the API server handles such a value (@preserveUnknownFields, @type, @schemaless) delete the
 * key. A finished schema that still has it is an error.
 */
export const openKey: unique symbol = Symbol('open');

/** The error to report if no tag says how to handle the value. */
export interface OpenType {
  readonly source: SourceText;
  readonly span: Span;
  readonly message: string;
  readonly hint: string;
}
