import type { CelType } from '../types/cel-type.ts';
import { extensionFunctions } from './extensions.ts';
import { kubernetesFunctions } from './kubernetes.ts';
import { operators } from './operators.ts';
import type { Declarations, Overload } from './overload.ts';
import { parseType, splitTypes } from './parse-type.ts';
import { standardFunctions } from './standard.ts';

/** The only function of the library for mutations. */
export const patchFunction = 'jsonpatch.escapeKey';

/** For a function in two libraries the overloads of the first one come first: the order is that of the API server. */
const libraries: readonly Declarations[] = [
  operators,
  standardFunctions,
  kubernetesFunctions,
  extensionFunctions,
  { [patchFunction]: 'string_jsonpatch_escapeKey_string (string) string' },
];

const parsed = new Map<string, readonly Overload[] | undefined>();

/**
 * The overloads of a function that expressions of API server 1.36 may call. Rules of custom resources can
 * name those of the authorizer, too, but have no value for them.
 *
 * @param name as a rule writes it, or that of an operator
 * @returns undefined when the function does not exist
 */
export function findFunction(name: string): readonly Overload[] | undefined {
  if (!parsed.has(name)) parsed.set(name, parseFunction(name));
  return parsed.get(name);
}

/** The names of all callable functions, for suggestions. */
export function* functionNames(): Generator<string> {
  for (const library of libraries) {
    for (const name of Object.keys(library)) if (/^[a-z]/i.test(name) && name !== patchFunction) yield name;
  }
}

function parseFunction(name: string): readonly Overload[] | undefined {
  const tables = libraries.filter((library) => Object.hasOwn(library, name));
  if (tables.length === 0) return undefined;
  return tables.flatMap((table) => table[name]!.trim().split(/\s*\n\s*/)).map(parseOverload);
}

function parseOverload(line: string): Overload {
  const [id, signature, result] = line.split(' ') as [string, string, string];
  const receiver = /^(.+?)\.\(/.exec(signature);
  const open = receiver ? receiver[0].length : 1;
  const types = [...(receiver ? [receiver[1]!] : []), ...splitTypes(signature.slice(open, -1))].map(
    parseType,
  );
  const resultType = parseType(result);
  return {
    id,
    method: receiver !== null,
    args: types,
    result: resultType,
    generic: [...types, resultType].some(hasVariable),
  };
}

function hasVariable(type: CelType): boolean {
  return type.kind === 'param' || type.params.some(hasVariable);
}
