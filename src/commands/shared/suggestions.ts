import type { Argument, Option } from 'commander';
import type { Resource } from '../../project/project.ts';

/** The command line so far, as shell completion sees it. */
export interface TypedLine {
  /** The last value of a flag; undefined if it has none. */
  value(flag: string): string | undefined;
  /** The resources of the project that agree with the values of some of the flags `--group`, `--version` and `--kind`. */
  resources(flags: readonly string[]): readonly Resource[];
}

type Suggest = (line: TypedLine) => readonly string[];

const suggestions = new WeakMap<Option | Argument, Suggest>();

/** Declares the values that shell completion offers for a flag or an argument. */
export function suggest<Target extends Option | Argument>(target: Target, values: Suggest): Target {
  suggestions.set(target, values);
  return target;
}

/** The values to offer for a flag or an argument, sorted as declared; empty if the declaration names none. */
export function suggestionsFor(target: Option | Argument, line: TypedLine): readonly string[] {
  return suggestions.get(target)?.(line) ?? [];
}
