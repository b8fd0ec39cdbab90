import { isConstrained } from './layer.ts';
import type { Schema } from '../schema/schema.ts';
import { alternation, escapeRegex } from '../schema/regex.ts';
import type { Part, Place, Type } from './type.ts';
import type { TypeContext } from './type-context.ts';

/** A member of a union: its schema, and for texts the regular expression that they match as a whole. */
interface Member {
  readonly schema: Schema;
  readonly regex: string | undefined;
}

const intOrString = {
  anyOf: [{ type: 'integer' as const }, { type: 'string' as const }],
  'x-kubernetes-int-or-string': true as const,
};

/** The union of literals, of strings that match patterns, or of integers and strings. */
export function scalarUnion(context: TypeContext, parts: readonly Part[], at: Place): Schema | undefined {
  const members: Member[] = [];
  let isNullable = false;
  for (const { type, at: place } of parts) {
    const built = isBareNumber(type) ? { type: 'integer' as const } : context.build(type, place);
    if (!built) return undefined;
    const { nullable, ...schema } = built;
    isNullable ||= nullable === true;
    members.push({ schema, regex: regexOf(type) });
  }
  const merged = mergeMembers(members);
  if (typeof merged !== 'string') return isNullable ? { ...merged, nullable: true } : merged;
  const hint = 'write literals of one type, int32 | string, T | null, or a property for each case';
  return context.fail(at, 'unsupported-union', merged, hint);
}

/** Which numbers are meant is known beside a string: an IntOrString holds integers only. */
function isBareNumber(type: Type): boolean {
  return type.kind === 'number' && !isConstrained(type);
}

function regexOf(type: Type): string | undefined {
  if (isConstrained(type)) return undefined;
  if (type.kind === 'pattern') return type.regex;
  return type.kind === 'literal' && typeof type.value === 'string' ? escapeRegex(type.value) : undefined;
}

/** @returns the schema, or a message why these have none in common */
function mergeMembers(members: readonly Member[]): Schema | string {
  if (members.every(({ schema }) => isOnly(schema, 'enum'))) return mergeEnums(members);
  const strings = members.filter(({ schema }) => schema.type === 'string');
  const integers = members.filter(({ schema }) => schema.type === 'integer');
  const isBoth = integers.length > 0 && integers.every(({ schema }) => isOnly(schema, 'format'));
  if (strings.length + (isBoth ? integers.length : 0) < members.length || strings.length === 0)
    return failMixture(members);
  if (isBoth && strings.length === 1 && isOnly(strings[0]!.schema)) return intOrString;
  const regexes = strings.map(({ regex }) => regex);
  if (!regexes.every((regex) => regex !== undefined)) return failMixture(members);
  const pattern = `^${alternation(regexes)}$`;
  return isBoth ? { ...intOrString, pattern } : { type: 'string', pattern };
}

/** Whether a schema says nothing but its type, and what is named. */
function isOnly(schema: Schema, key?: 'enum' | 'format'): boolean {
  const { type: _, description: __, title: ___, ...rest } = schema;
  return Object.keys(rest).every((name) => name === key) && (key !== 'enum' || schema.enum !== undefined);
}

function failMixture(members: readonly Member[]): string {
  return members.some(({ schema }) => schema.enum)
    ? 'a union cannot mix literals with other types'
    : 'a union of these types has no schema';
}

function mergeEnums(members: readonly Member[]): Schema | string {
  const values = [...new Set(members.flatMap(({ schema }) => schema.enum!))];
  const types = new Set(members.map(({ schema }) => schema.type!));
  const areAmong = (...names: Schema['type'][]) => [...types].every((type) => names.includes(type));
  // true | false is all there is.
  if (areAmong('boolean')) return { type: 'boolean', ...(values.length < 2 ? { enum: values } : {}) };
  if (areAmong('string')) return { type: 'string', enum: values };
  if (areAmong('integer')) return { type: 'integer', enum: values };
  if (areAmong('integer', 'number')) return { type: 'number', enum: values };
  if (areAmong('integer', 'string')) return { ...intOrString, enum: values };
  return 'a union cannot mix literals of different types';
}
