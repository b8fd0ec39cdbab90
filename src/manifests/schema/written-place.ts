import type { SourceText } from '../source/source-text.ts';
import type { Origin } from './origin.ts';
import type { Place } from '../types/type.ts';

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
