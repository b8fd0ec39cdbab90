import { type FieldSchema, type Mutation, mutationsOf } from './spec-mutations.ts';

type Pair = readonly [Mutation, Mutation];

/** How many pairs are tried: the first ones. An object with ten fields has 45 of them. */
const maxPairs = 30;

/**
 * Changes of two fields of the same object at once. First come fields that a CEL rule connects, with all of their values: the rule may
 * refuse each of the changes alone. Then come all others, with one value each that the schema knows to be a good one.
 *
 * @param value the spec
 */
export function pairsOf(schema: FieldSchema, value: unknown): Pair[] {
  const objects = fieldsByObject(mutationsOf(schema, value));
  const connected = objects.flatMap((fields) =>
    rulesOf(schema, fields).flatMap((rule) => combined(fields.filter((field) => isMentioned(rule, field)))),
  );
  const others = objects.flatMap((fields) =>
    combined(fields.map((field) => field.filter(isGood).slice(0, 1))),
  );
  const all = [...connected, ...others];
  return [...new Map(all.map((pair) => [JSON.stringify(pair), pair])).values()].slice(0, maxPairs);
}

/** The mutations of one field. */
type Field = readonly Mutation[];

/** The fields of each object. */
function fieldsByObject(mutations: readonly Mutation[]): Field[][] {
  const fields = grouped(mutations, ({ path }) => path);
  return grouped(fields, ([mutation]) => mutation!.path.slice(0, -1));
}

function grouped<T>(values: readonly T[], pathOf: (value: T) => readonly string[]): T[][] {
  const groups = new Map<string, T[]>();
  for (const value of values) {
    const key = JSON.stringify(pathOf(value));
    groups.set(key, [...(groups.get(key) ?? []), value]);
  }
  return [...groups.values()];
}

/** The CEL rules of the object that has the fields. */
function rulesOf(schema: FieldSchema, [field]: readonly Field[]): string[] {
  const path = field![0]!.path.slice(1, -1);
  const object = path.reduce<FieldSchema | undefined>((each, name) => each?.properties?.[name], schema);
  return (object?.['x-kubernetes-validations'] ?? []).map(({ rule }) => rule);
}

function isMentioned(rule: string, [mutation]: Field): boolean {
  return [...rule.matchAll(/\bself\.(\w+)/g)].some(([, name]) => name === mutation!.path.at(-1));
}

/** Each value of each field with each of every later field. */
function combined(fields: readonly Field[]): Pair[] {
  return fields.flatMap((field, index) =>
    field.flatMap((one) =>
      fields.slice(index + 1).flatMap((other) => other.map((each): Pair => [one, each])),
    ),
  );
}

/** Another value that the operator has to accept. What is left out is tried alone. */
function isGood({ value, isGuess }: Mutation): boolean {
  return value !== null && isGuess === undefined;
}
