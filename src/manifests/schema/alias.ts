import type { Schema } from './schema.ts';

/**
 * The key of the type name that a part of a schema has in the sources. Like an origin, it survives copies and
 * does not appear in YAML and JSON.
 */
export const aliasKey: unique symbol = Symbol('alias');

/** A named type, without what comments say about the property that uses it. */
export interface Alias {
  readonly name: string;
  readonly schema: Schema;
  /** Description of the type, if its schema does not have one. */
  readonly description?: string;
}
