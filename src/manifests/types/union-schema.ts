import type { Schema } from './schema.ts';

/**
 * Merges the members of a union, `null` and `undefined` left out.
 * @returns the schema, or a message why these members have none in common
 */
export function unionSchema(members: readonly Schema[]): Schema | string {
  const [first] = members;
  if (first && members.length === 1) return first;
  const types = new Set(members.map((member) => member.type));
  if (members.some((member) => member.type === 'object' || member.type === 'array')) {
    return 'a union of objects or arrays is not supported in API types';
  }
  if (members.every((member) => member.enum)) return mergeEnums(members, types);
  const plain = members.every((member) => !member.enum && !member.pattern && member.minimum === undefined);
  if (plain && types.size === 2 && types.has('integer') && types.has('string')) {
    return { anyOf: [{ type: 'integer' }, { type: 'string' }], 'x-kubernetes-int-or-string': true };
  }
  return members.some((member) => member.enum)
    ? 'a union cannot mix literals with other types'
    : 'a union of these types has no schema';
}

function mergeEnums(members: readonly Schema[], types: ReadonlySet<Schema['type']>): Schema | string {
  const values = [...new Set(members.flatMap((member) => member.enum!))];
  const [type] =
    types.size === 1
      ? types
      : types.size === 2 && types.has('integer') && types.has('number')
        ? ['number' as const]
        : [];
  if (!type) return 'a union cannot mix literals of different types';
  // true | false is all there is.
  return type === 'boolean' && values.length === 2 ? { type } : { type, enum: values };
}
