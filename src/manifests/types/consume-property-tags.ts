import type { Type } from './type.ts';

/**
 * Marks the tags of a type's properties as consumed, because the type is taken apart and the unused tags must
 * not be reported.
 */
export function consumePropertyTags(type: Type): void {
  if (type.kind === 'object') for (const property of type.properties.values()) property.consumeTags();
}
