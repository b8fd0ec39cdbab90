import { findPattern } from '../pattern/find-pattern.ts';
import { matchesPattern } from '../pattern/matches-pattern.ts';
import { PatternError } from '../pattern/pattern-error.ts';
import type { CelResult } from '../values/cel-value.ts';
import { CelEvaluationError } from '../values/evaluation-error.ts';
import { ArrayList } from '../values/list.ts';
import { matchesPatternCost } from './costs.ts';
import { overload } from './overload.ts';
import type { FunctionTable } from './overload.ts';

/** The functions on regular expressions in RE2 syntax. */
export const regexes: FunctionTable = {
  matches: [
    overload(
      ['string', 'string'],
      (text, pattern) => guarded(() => matchesPattern(pattern, text)),
      matchesPatternCost,
    ),
  ],
  find: [
    overload(
      ['string', 'string'],
      (text, pattern) => guarded(() => firstOf(findPattern(pattern, text, 1))),
      matchesPatternCost,
    ),
  ],
  findAll: [
    overload(['string', 'string'], (text, pattern) => findAll(text, pattern, Infinity), matchesPatternCost),
    overload(
      ['string', 'string', 'int'],
      (text, pattern, limit) => findAll(text, pattern, limit < 0n ? Infinity : Number(limit)),
      matchesPatternCost,
    ),
  ],
};

function firstOf(found: readonly string[] | undefined): string | undefined {
  return found && (found[0] ?? '');
}

function findAll(text: string, pattern: string, limit: number): CelResult {
  return guarded(() => {
    const found = findPattern(pattern, text, limit);
    return found && new ArrayList(found);
  });
}

function guarded(search: () => CelResult | undefined): CelResult {
  try {
    return search() ?? new CelEvaluationError('the regular expression takes too long for this text');
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    return new CelEvaluationError(error.goMessage);
  }
}
