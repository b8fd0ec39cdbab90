import type { Schema } from './schema.ts';

/** The key of the name that a part of a schema has in the sources. Like that of an origin, copies keep it, and YAML and JSON do not show it. */
export const aliasKey: unique symbol = Symbol('alias');

/** A named type, before anything is said about the property that is of it. */
export interface Alias {
  readonly name: string;
  readonly schema: Schema;
  /** What it is, where its schema does not say it. */
  readonly description?: string;
}
