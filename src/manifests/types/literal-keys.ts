import type { Place, Type } from './type.ts';
import type { TypeContext } from './type-context.ts';
import { membersOf } from './union-type.ts';

/**
 * Lists the names that a type of keys consists of, each with its place in the source.
 * @returns undefined after an error: the type has members other than literals
 */
export function literalKeys(context: TypeContext, keys: Type, at: Place): Map<string, Place> | undefined {
  const names = new Map<string, Place>();
  if (keys.kind === 'never') return names;
  for (const part of membersOf({ type: keys, at })) {
    if (part.type.kind !== 'literal' || typeof part.type.value === 'boolean') {
      const hint = `write literals: 'a' | 'b'; or string for a map`;
      return context.fail(part.at, 'unsupported-type', 'these are not names of properties', hint);
    }
    names.set(String(part.type.value), part.at);
  }
  return names;
}
