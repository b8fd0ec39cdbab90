import type { OpenKeywordType, Place } from './type.ts';

const keep = 'add @preserveUnknownFields to the property to store whatever is sent';

/** `unknown`, `any` or `object`: a value that the API server can only let pass. */
export function openKeyword(keyword: 'unknown' | 'any' | 'object', at: Place): OpenKeywordType {
  const isObject = keyword === 'object';
  const hint = isObject
    ? `declare the properties, write Record<string, T> for a map of T, or ${keep}`
    : `write the type that is meant, or ${keep}`;
  return {
    kind: 'open',
    at,
    isObject,
    open: { source: at.module.source, span: at.span, message: `${keyword} has no schema`, hint },
  };
}
