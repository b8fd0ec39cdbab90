import type { SourceText, Span } from '../source/source-text.ts';
import { valueSpan } from '../tag-syntax/tag.ts';
import type { Tag } from '../tag-syntax/tag.ts';
import type { Place } from '../types/type.ts';

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

/** The origin of a rule that a tag stands for, without its author having written it. */
export function tagOrigin(tag: Tag): RuleOrigin {
  const span = valueSpan(tag);
  return { source: tag.source, span, spanOf: () => span };
}

/**
 * A place as errors name it in their text: `3:5`, or `src/api/foo.ts:3:5` in another file.
 * @param from the file that the error itself is in
 */
export function writtenPlace({ source, span }: Origin, from: SourceText): string {
  const { line, column } = source.positionAt(span.start);
  return `${source === from ? '' : `${source.path}:`}${line}:${column}`;
}

/** A place as the origin of a schema. */
export function originOf({ module, span }: Place): Origin {
  return { source: module.source, span };
}
