import { quoted } from './quoted.ts';

/** @returns `Did you mean "x"? ` followed by the rule; only the rule without a suggestion. */
export function didYouMean(suggestion: string | undefined, rule: string): string {
  return suggestion === undefined ? rule : `Did you mean ${quoted(suggestion)}? ${rule}`;
}
