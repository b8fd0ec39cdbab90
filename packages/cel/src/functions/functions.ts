import { authorization } from './authorization.ts';
import { conversions } from './conversions.ts';
import { lists } from './lists.ts';
import { namedFormats } from './named-formats.ts';
import { networks } from './networks.ts';
import { operators } from './operators.ts';
import { optionals } from './optionals.ts';
import type { FunctionTable, Overload } from './overload.ts';
import { quantities } from './quantities.ts';
import { regexes } from './regexes.ts';
import { semvers } from './semvers.ts';
import { sets } from './sets.ts';
import { strings } from './strings.ts';
import { times } from './times.ts';
import { urls } from './urls.ts';

const functionTables: readonly FunctionTable[] = [
  operators,
  conversions,
  strings,
  lists,
  sets,
  regexes,
  times,
  urls,
  quantities,
  networks,
  namedFormats,
  semvers,
  authorization,
  optionals,
];

/** All functions that a rule can call, by name; those of a namespace have names like `sets.contains`. */
export const functions: ReadonlyMap<string, readonly Overload[]> = merged();

function merged(): Map<string, readonly Overload[]> {
  const result = new Map<string, readonly Overload[]>();
  for (const [name, overloads] of functionTables.flatMap((table) => Object.entries(table))) {
    result.set(name, [...(result.get(name) ?? []), ...overloads]);
  }
  return result;
}
