import type { TSType } from 'oxc-parser';
import type { Diagnostics } from '../diagnostics/diagnostics.ts';
import type { ModuleGraph } from '../source/module-graph.ts';
import type { Module, TypeDeclaration, ValueDeclaration } from '../source/module.ts';
import type { Schema } from '../schema/schema.ts';
import type { Place, Scope, Type } from './type.ts';

/** The arguments of a generic type, as written. */
export type TypeArguments = {
  readonly params: readonly TSType[];
  readonly start: number;
  readonly end: number;
};

/** What the parts of the evaluator share. A function that returns undefined has reported the reason. */
export interface TypeContext {
  readonly graph: ModuleGraph;
  readonly diagnostics: Diagnostics;
  /** The types of the constants read so far. */
  readonly values: Map<ValueDeclaration, Type | undefined>;
  /** Returns the scope of the top level of a file. */
  scopeOf(module: Module): Scope;
  /** Finds out what a type is, as far as TypeScript's type operators need to know. */
  reduce(scope: Scope, node: TSType): Type | undefined;
  /** Returns the type that a declaration defines. */
  reduceDeclaration(
    declaration: TypeDeclaration,
    scope: Scope,
    typeArguments: TypeArguments | null,
    at: Place,
  ): Type | undefined;
  /**
   * Returns the schema of a type.
   * @param at where the type is referred to
   */
  build(type: Type, at: Place): Schema | undefined;
  /** Reports an error. */
  fail(at: Place, code: string, message: string, hint?: string): undefined;
}
