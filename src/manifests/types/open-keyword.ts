import type { OpenKeywordType, Place } from './type.ts';

const preserveHint = 'add @preserveUnknownFields to the property to store whatever is sent';

/** `unknown`, `any` or `object`: a value that the API server can only accept unchecked. */
export function openKeyword(keyword: 'unknown' | 'any' | 'object', at: Place): OpenKeywordType {
  const isObject = keyword === 'object';
  const hint = isObject
    ? `declare the properties, write Record<string, T> for a map of T, or ${preserveHint}`
    : `write the type that is meant, or ${preserveHint}`;
  return {
    kind: 'open',
    at,
    isObject,
    open: { source: at.module.source, span: at.span, message: `${keyword} has no schema`, hint },
  };
}
