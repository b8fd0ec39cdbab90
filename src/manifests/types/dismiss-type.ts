import type { Type } from './type.ts';

/** Tells that a type is taken apart, so that the tags of what is not used of it are not called useless. */
export function dismissType(type: Type): void {
  if (type.kind === 'object') for (const property of type.properties.values()) property.dismiss();
}
