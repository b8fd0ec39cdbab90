import { parseSync } from 'oxc-parser';
import type { Diagnostics } from '../diagnostics/diagnostics.ts';
import { attachComments } from './attach-comments.ts';
import { collectDeclarations } from './collect-declarations.ts';
import type { Module } from './module.ts';
import { findExcessiveNesting } from './nesting-limit.ts';
import type { SourceText } from './source-text.ts';

/**
 * Parses a TypeScript file.
 * @returns undefined if it has syntax errors, which are in the diagnostics
 */
export function parseModule(source: SourceText, diagnostics: Diagnostics): Module | undefined {
  const tooDeep = findExcessiveNesting(source.text);
  if (tooDeep) {
    const hint = 'split this expression or type into named parts';
    diagnostics.error(source, tooDeep, 'nesting', 'the code is nested too deeply', hint);
    return undefined;
  }
  const options = { lang: 'ts', sourceType: 'module', preserveParens: false } as const;
  const result = parseSync(source.path, source.text, options);
  for (const error of result.errors) {
    const label = error.labels[0] ?? { start: 0, end: 0 };
    diagnostics.error(source, label, 'syntax', error.message, error.helpMessage ?? undefined);
  }
  if (result.errors.length > 0) return undefined;
  const comments = attachComments(source, result.comments);
  return collectDeclarations(source, result.program, comments);
}
