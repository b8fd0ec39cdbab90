/** One flag of a program. */
export interface FlagDefinition {
  /** A boolean may stand alone, as `--dry-run`, which says true; a string has a value. */
  readonly type: 'string' | 'boolean';
  /** What it does, for `--help`. */
  readonly help: string;
  /** What stands for the value in `--help`, such as `address`; `value` by default. */
  readonly placeholder?: string | undefined;
  /** The value when the flag is not given, nor its environment variable; false for booleans. */
  readonly default?: string | boolean | undefined;
  /** The environment variable that is looked at when the flag is not given. */
  readonly env?: string | undefined;
}

/** Flags by their names, without the dashes. */
export type FlagTable = Readonly<Record<string, FlagDefinition>>;

/** The values of flags: a boolean has one always, a string when it has a default. */
export type FlagValues<Table extends FlagTable> = {
  [Name in keyof Table]: Table[Name]['type'] extends 'boolean'
    ? boolean
    : Table[Name] extends { default: string }
      ? string
      : string | undefined;
};
