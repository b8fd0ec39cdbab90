import { PatternError as SyntaxFault } from 'ots-cel/pattern-error';
import { PatternMatcher } from 'ots-cel/pattern-matcher';
import { RuntimeError } from '../errors/runtime-error.ts';

/** A pattern is not a regular expression of RE2, or a match would take too long. The message says what is wrong. */
export class PatternError extends RuntimeError {
  /** Stable; to branch on. */
  readonly code = 'PATTERN';
}

/** About a second. */
const maxSteps = 5_000_000;

/**
 * A regular expression from users, for example in the spec of an object: `new Pattern(spec.match).test(name)`.
 *
 * It has the syntax of RE2 (https://github.com/google/re2/wiki/Syntax), which the API server has for `pattern` in CRDs
 * and for `matches` in CEL rules. A match takes time in proportion to the text: unlike with `RegExp`, no pattern can
 * block the process. Compile a pattern once to match many texts.
 */
export class Pattern {
  /** The text that the pattern was compiled from. */
  readonly source: string;
  readonly #matcher: PatternMatcher;

  /** @throws {PatternError} when it is not a regular expression of RE2, or it is too large. */
  constructor(source: string) {
    this.source = source;
    this.#matcher = compile(source);
  }

  /**
   * True when the pattern matches a part of the text; `^` and `$` anchor it to the start and the end.
   * @throws {PatternError} when pattern and text are so large that the match would take longer than about a second.
   */
  test(text: string): boolean {
    const matches = this.#matcher.matches(text, { left: maxSteps });
    if (matches !== undefined) return matches;
    throw new PatternError(
      `The pattern ${show(this.source)} takes too long on a text of ${text.length} characters`,
      'Match a shorter text, or use a pattern with fewer alternatives and repetitions.',
    );
  }
}

function compile(source: string): PatternMatcher {
  let matcher: PatternMatcher | undefined;
  try {
    matcher = PatternMatcher.compile(source);
  } catch (error) {
    if (!(error instanceof SyntaxFault)) throw error;
    const hint = error.hint ?? 'Write it in the syntax of RE2: https://github.com/google/re2/wiki/Syntax';
    throw new PatternError(`${show(source)} is not a valid pattern: ${error.message}`, hint, error);
  }
  if (matcher) return matcher;
  throw new PatternError(
    `The pattern ${show(source)} is too large`,
    'Use smaller counts in its repetitions, such as x{100} in place of x{1000}.',
  );
}

/** The pattern comes from a user and may be very long. */
function show(source: string): string {
  return JSON.stringify(source.length > 200 ? `${source.slice(0, 200)}…` : source);
}
