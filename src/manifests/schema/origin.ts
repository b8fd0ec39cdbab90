import type { SourceText, Span } from '../source/source-text.ts';
import { valueSpan } from '../tag-syntax/tag.ts';
import type { Tag } from '../tag-syntax/tag.ts';
import type { Place } from '../types/type.ts';

/**
 * The key of the source of a part of a schema. A symbol survives copies of an object and does not appear in
 * YAML and JSON.
 */
export const originKey: unique symbol = Symbol('origin');

/** The declaration that a schema comes from: a property, or the name of a declared type. */
export interface Origin {
  readonly source: SourceText;
  readonly span: Span;
}

/** The tag that a validation rule comes from. */
export interface RuleOrigin extends Origin {
  /**
   * Returns where a part of an argument is written.
   * @param argument `rule`, `message`, `messageExpression`, `fieldPath` …
   * @param from offset in the argument's value; default 0
   * @param to end of the range; default the end of the value
   */
  spanOf(argument: string, from?: number, to?: number): Span;
}

/** Returns the origin of a rule that a tag implies without spelling it out. */
export function tagOrigin(tag: Tag): RuleOrigin {
  const span = valueSpan(tag);
  return { source: tag.source, span, spanOf: () => span };
}

/**
 * Formats a place for the text of an error: `3:5`, or `src/api/foo.ts:3:5` in another file.
 * @param from the file that the error is in
 */
export function writtenPlace({ source, span }: Origin, from: SourceText): string {
  const { line, column } = source.positionAt(span.start);
  return `${source === from ? '' : `${source.path}:`}${line}:${column}`;
}

/** Returns a place as the origin of a schema. */
export function originOf({ module, span }: Place): Origin {
  return { source: module.source, span };
}
