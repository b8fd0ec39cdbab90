import { refusedBasics } from './cases/refused-basics.ts';
import { refusedBuiltins } from './cases/refused-builtins.ts';
import { refusedRules } from './cases/refused-rules.ts';
import { refusedTags } from './cases/refused-tags.ts';
import { refusedTypes } from './cases/refused-types.ts';

/** Members of a spec that are refused: what is pointed at, and what is said. */
export interface RefusedSpec {
  readonly name: string;
  readonly spec: string;
  readonly types?: string;
  readonly imports?: string;
  /** The text of the source that the error points at. */
  readonly at: string;
  readonly message: RegExp;
  readonly hint?: RegExp;
  /** What a real API server would refuse too, if it were generated: the schema of `x`. */
  readonly refusedSchema?: object;
}

export const refusedSpecs: readonly RefusedSpec[] = [
  ...refusedBasics,
  ...refusedTypes,
  ...refusedTags,
  ...refusedRules,
  ...refusedBuiltins,
];
