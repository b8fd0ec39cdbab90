import type { TSType } from 'oxc-parser';
import type { Diagnostics } from '../diagnostics/diagnostics.ts';
import type { ModuleGraph } from '../source/module-graph.ts';
import type { Module, TypeDeclaration } from '../source/module.ts';
import type { Span } from '../source/source-text.ts';
import type { Schema } from './schema.ts';

/** What the parts of the evaluator share. Functions that give undefined have reported why. */
export interface TypeContext {
  readonly graph: ModuleGraph;
  readonly diagnostics: Diagnostics;
  /** The schema of a type that is written in a module. */
  evaluate(module: Module, type: TSType): Schema | undefined;
  /** The schema of a declared type that is referred to somewhere. */
  evaluateDeclaration(from: Module, at: Span, declaration: TypeDeclaration): Schema | undefined;
  /** Reports an error. */
  fail(module: Module, at: Span, code: string, message: string, hint?: string): undefined;
}
