/** One flag of a program. */
export interface FlagDefinition {
  /** A boolean can stand alone, such as `--dry-run`, which means true; a string has a value. */
  readonly type: 'string' | 'boolean';
  /** What it does, for `--help`. */
  readonly help: string;
  /** The placeholder of the value in `--help`, such as `address`; `value` by default. */
  readonly placeholder?: string | undefined;
  /** The value if neither the flag nor its environment variable is given; false for booleans. */
  readonly default?: string | boolean | undefined;
  /** The environment variable that is used if the flag is not given. */
  readonly env?: string | undefined;
}

/** Flags by their names, without the dashes. */
export type FlagTable = Readonly<Record<string, FlagDefinition>>;

/** The values of flags: a boolean always has one, a string only with a default. */
export type FlagValues<Table extends FlagTable> = {
  [Name in keyof Table]: Table[Name]['type'] extends 'boolean'
    ? boolean
    : Table[Name] extends { default: string }
      ? string
      : string | undefined;
};
