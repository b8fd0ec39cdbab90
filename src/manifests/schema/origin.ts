import type { SourceText, Span } from '../source/source-text.ts';

/** The key of what a part of a schema was made from. A symbol: copies of an object keep it, YAML and JSON do not show it. */
export const originKey: unique symbol = Symbol('origin');

/** The declaration that a schema stands for: a property, or the name of a declared type. */
export interface Origin {
  readonly source: SourceText;
  readonly span: Span;
}

/** The tag that a validation rule comes from. */
export interface RuleOrigin extends Origin {
  /**
   * Where a part of an argument is written.
   * @param argument `rule`, `message`, `messageExpression`, `fieldPath` …
   * @param from offset in the argument's value; default its beginning
   * @param to end of the range; default the end of the value
   */
  spanOf(argument: string, from?: number, to?: number): Span;
}
