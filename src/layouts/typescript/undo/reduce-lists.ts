import { isDeepStrictEqual } from 'node:util';
import { type Data, isData } from '../../../project/yaml/data.ts';
import { editYaml, readYaml } from '../../../project/yaml/edit-yaml.ts';

/** What decides about the entries of lists in a YAML file. */
export interface EntryRules {
  /** Whether an entry refers to what no longer exists. */
  readonly isGone: (entry: unknown) => boolean;
  /** Whether an entry stays in any case. */
  readonly isKept: (entry: unknown) => boolean;
}

/**
 * Removes from the lists of a YAML file what left its scaffold. Everything else stays, also the formatting.
 *
 * @param text the file as its author has it
 * @param before the file as it was scaffolded
 * @param after the file as it would be scaffolded now; undefined if it would not be there
 * @returns undefined if the file cannot be parsed
 */
export function reduceLists(
  text: string,
  before: string,
  after: string | undefined,
  { isGone, isKept }: EntryRules,
): string | undefined {
  const [old, wanted] = [readYaml(before), after === undefined ? {} : readYaml(after)];
  const leaves = (key: string, entry: unknown): boolean => {
    const left = includes(old[key], entry) && !includes(wanted[key], entry);
    return (left && !isKept(entry)) || isGone(entry);
  };
  const keep = ([key, value]: [string, unknown]): [string, unknown][] => {
    if (!Array.isArray(value)) return [[key, value]];
    const rest = value.filter((entry) => !leaves(key, entry));
    const isEmptied = rest.length === 0 && value.length > 0 && !Object.hasOwn(wanted, key);
    return isEmptied ? [] : [[key, rest]];
  };
  return editYaml(text, (data) => Object.fromEntries(Object.entries(data).flatMap(keep)));
}

/** Whether any list of a YAML file has an entry. */
export function hasEntries(text: string): boolean {
  return Object.values(readYaml(text)).some((value) => Array.isArray(value) && value.length > 0);
}

/** Removes the scripts of package.json that left its scaffold and that the author did not change. */
export function reduceScripts(text: string, before: string, after: string): string | undefined {
  const [old, wanted] = [scriptsOf(readYaml(before)), scriptsOf(readYaml(after))];
  return editYaml(text, (data) => {
    const rest = Object.entries(scriptsOf(data)).filter(
      ([name, script]) => Object.hasOwn(wanted, name) || old[name] !== script,
    );
    return { ...data, scripts: Object.fromEntries(rest) };
  });
}

function scriptsOf({ scripts }: Data): Data {
  return isData(scripts) ? scripts : {};
}

function includes(list: unknown, entry: unknown): boolean {
  return Array.isArray(list) && list.some((other) => isDeepStrictEqual(other, entry));
}
