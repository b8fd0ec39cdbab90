import { acceptedBasics } from './cases/accepted-basics.ts';
import { acceptedBuiltins } from './cases/accepted-builtins.ts';
import { acceptedRules } from './cases/accepted-rules.ts';
import { acceptedTags } from './cases/accepted-tags.ts';
import { acceptedTypes } from './cases/accepted-types.ts';

/** Types and tags, and the schema of the property `x` that they make. The oracle test posts all of them to a real API server. */
export interface AcceptedSchema {
  readonly name: string;
  /** Members of the spec; the one that is looked at is called `x`. */
  readonly spec: string;
  readonly types?: string;
  readonly schema: object;
  /** Whether the spec requires `x`. Default true. */
  readonly optional?: boolean;
}

export const acceptedSchemas: readonly AcceptedSchema[] = [
  ...acceptedBasics,
  ...acceptedTypes,
  ...acceptedTags,
  ...acceptedRules,
  ...acceptedBuiltins,
];
