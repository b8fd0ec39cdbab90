import { objectUnion } from './object-union.ts';
import { scalarUnion } from './scalar-union.ts';
import { makeNullable } from '../schema/schema.ts';
import type { Schema } from '../schema/schema.ts';
import type { Part, UnionType } from './type.ts';
import type { TypeContext } from './type-context.ts';

/**
 * Builds the schema of a union. Its null and undefined members say whether the value can be null or missing.
 */
export function buildUnion(context: TypeContext, { members, at, broken }: UnionType): Schema | undefined {
  const isNullable = members.some(({ type }) => type.kind === 'null');
  const values = members.filter(({ type }) => type.kind !== 'null' && type.kind !== 'undefined');
  if (broken) {
    // Report the errors in the other members, too.
    for (const { type, at: place } of values) if (type.kind !== 'number') context.build(type, place);
    return undefined;
  }
  const schema = buildValues(context, values, at);
  return schema && isNullable ? makeNullable(schema) : schema;
}

function buildValues(context: TypeContext, values: readonly Part[], at: UnionType['at']): Schema | undefined {
  const [first] = values;
  if (!first) {
    const hint = 'write T | null, with the type that a value has';
    return context.fail(at, 'unsupported-union', 'null is the only value of this type', hint);
  }
  if (values.length === 1) return context.build(first.type, first.at);
  if (values.every(({ type }) => type.kind === 'object')) return objectUnion(context, values, at);
  const advice = adviceForMixture(values);
  if (advice) return context.fail(at, 'unsupported-union', ...advice);
  return scalarUnion(context, values, at);
}

/** Explains why a union of these kinds of members has no schema. */
function adviceForMixture(values: readonly Part[]): [message: string, hint: string] | undefined {
  const kinds = new Set(values.map(({ type }) => type.kind));
  if (kinds.has('list')) {
    const hint = 'write T[]; a single value is a list of one';
    return ['a union cannot mix lists with other types, or with other lists', hint];
  }
  if (kinds.has('open')) {
    return ['a union with unknown values is an unknown value', 'write unknown, or the types that are meant'];
  }
  if (kinds.has('map'))
    return ['a union cannot mix maps with other types', 'write one map with T | U as values'];
  if (!kinds.has('object')) return undefined;
  const hint = `write objects alone, distinguished by a property like type: 'A'`;
  return ['a union cannot mix objects with other types', hint];
}
