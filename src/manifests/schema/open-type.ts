import type { SourceText, Span } from '../source/source-text.ts';

/**
 * The key of the note that a type without a schema of its own (`unknown`, `object`, `any`, `Record<string, unknown>`) leaves on its
 * schema. A symbol: copies of the schema keep it, YAML and JSON do not show it. Tags that say what the API server does with such a
 * value (@preserveUnknownFields, @type, @schemaless) delete the key; a schema that still has it when it is used is an error.
 */
export const openKey: unique symbol = Symbol('open');

/** The error to report where nothing says what is to become of the value. */
export interface OpenType {
  readonly source: SourceText;
  readonly span: Span;
  readonly message: string;
  readonly hint: string;
}
