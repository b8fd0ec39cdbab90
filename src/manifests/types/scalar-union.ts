import { isConstrained } from './layer.ts';
import type { Schema } from '../schema/schema.ts';
import { alternation, escapeRegex } from '../schema/regex.ts';
import type { Part, Place, Type } from './type.ts';
import type { TypeContext } from './type-context.ts';

/** A member of a union: its schema and, for strings, the regular expression that the whole string matches. */
interface Member {
  readonly schema: Schema;
  readonly regex: string | undefined;
}

const intOrString = {
  anyOf: [{ type: 'integer' as const }, { type: 'string' as const }],
  'x-kubernetes-int-or-string': true as const,
};

/** Builds the schema of a union of literals, of strings that match patterns, or of integers and strings. */
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

/** Beside a string, a plain number needs no format: an IntOrString holds only integers. */
function isBareNumber(type: Type): boolean {
  return type.kind === 'number' && !isConstrained(type);
}

function regexOf(type: Type): string | undefined {
  if (isConstrained(type)) return undefined;
  if (type.kind === 'pattern') return type.regex;
  return type.kind === 'literal' && typeof type.value === 'string' ? escapeRegex(type.value) : undefined;
}

/** @returns the schema, or a message that says why the members cannot share one */
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

/** Returns whether a schema has only a type and, if given, the named keyword. */
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
  const areOnly = (...names: Schema['type'][]) => [...types].every((type) => names.includes(type));
  // true | false covers every value.
  if (areOnly('boolean')) return { type: 'boolean', ...(values.length < 2 ? { enum: values } : {}) };
  if (areOnly('string')) return { type: 'string', enum: values };
  if (areOnly('integer')) return { type: 'integer', enum: values };
  if (areOnly('integer', 'number')) return { type: 'number', enum: values };
  if (areOnly('integer', 'string')) return { ...intOrString, enum: values };
  return 'a union cannot mix literals of different types';
}
