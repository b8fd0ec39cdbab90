import type { TSType } from 'oxc-parser';
import { describeNode } from './describe-node.ts';
import { consumePropertyTags } from './consume-property-tags.ts';
import { placeOf } from './type.ts';
import type { Place, Scope, Type } from './type.ts';
import type { TypeContext } from './type-context.ts';
import { literalsType } from './union-type.ts';

/** Evaluates `keyof T` as the union of its property names. */
export function keyofType(context: TypeContext, scope: Scope, operand: TSType, at: Place): Type | undefined {
  const type = context.reduce(scope, operand);
  if (!type) return undefined;
  if (type.kind === 'map') return { kind: 'scalar', at, schema: { type: 'string' } };
  if (type.kind !== 'object') {
    const message = `${describeNode(scope, operand)} has no property names for keyof`;
    return context.fail(placeOf(scope, operand), 'unsupported-type', message, 'write the names out');
  }
  if (type.broken) return undefined;
  consumePropertyTags(type);
  return literalsType([...type.properties.keys()], at);
}
