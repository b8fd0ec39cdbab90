import type { Schema } from '../schema/schema.ts';

/** Why a schema, or a part of one, would be refused by the API server. */
export interface StructuralProblem {
  /** The schemas from the root to the one that is wrong; the last that has an origin is the place to point at. */
  readonly trail: readonly Schema[];
  /** The same as a path of properties, like `spec.ports[*].name`. */
  readonly path: string;
  readonly message: string;
  readonly hint: string;
}
