import { layersOf, withLayers } from './layer.ts';
import type { ObjectType, Part, Place, Type } from './type.ts';
import type { TypeContext } from './type-context.ts';
import { membersOf, unionOf } from './union-type.ts';

/**
 * Transforms an object type, or each member of a union of objects, as TypeScript does for `Partial` and
 * similar types.
 * @param type undefined if the type could not be read, which has been reported
 * @param name name of the operation in an error
 */
export function mapObjects(
  context: TypeContext,
  type: Type | undefined,
  name: string,
  at: Place,
  change: (object: ObjectType) => Type | undefined,
): Type | undefined {
  if (!type) return undefined;
  if (type.kind === 'object') return change(type);
  const results: Part[] = [];
  for (const part of membersOf({ type, at })) {
    const isNullish = part.type.kind === 'null' || part.type.kind === 'undefined';
    if (!isNullish && part.type.kind !== 'object') {
      const hint = 'use it with an interface or an object type';
      return context.fail(at, 'unsupported-type', `${name} has no properties`, hint);
    }
    const result = part.type.kind === 'object' ? change(part.type) : part.type;
    if (!result) return undefined;
    results.push({ type: result, at: part.at });
  }
  return withLayers(unionOf(results, at), layersOf(type));
}
