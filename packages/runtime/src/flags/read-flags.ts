import { parseArgs } from 'node:util';
import { RuntimeError } from '../errors/runtime-error.ts';
import type { FlagDefinition, FlagTable, FlagValues } from './flag-definition.ts';

/** The command line of the program, or an environment variable, is invalid. */
export class FlagError extends RuntimeError {
  /** Stable; to branch on. */
  readonly code = 'FLAG';
}

/**
 * The values of flags on a command line: `--flag value` or `--flag=value`, with one dash or two, as Go programs take
 * them; booleans `--flag` or `--flag=false`. The last occurrence of a flag wins, then its environment variable, then
 * its default. An empty environment variable counts as unset.
 * @throws {FlagError} if a flag is not in the table, has no or a wrong value, or an argument is not a flag.
 */
export function readFlags<const Table extends FlagTable>(
  table: Table,
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): FlagValues<Table> {
  const given = new Map<string, string | boolean>();
  const options = Object.fromEntries(Object.entries(table).map(([name, { type }]) => [name, { type }]));
  // Not strict: its errors name neither the flag that was meant nor `--flag=false`.
  const { tokens } = parseArgs({ args: withTwoDashes(argv), options, strict: false, tokens: true });
  for (const token of tokens) {
    if (token.kind === 'option-terminator') continue;
    if (token.kind === 'positional') throw notAFlag(token.value);
    const definition = Object.hasOwn(table, token.name) ? table[token.name] : undefined;
    if (!definition) throw unknownFlag(token.name, table);
    const inline = token.inlineValue === true;
    given.set(token.name, valueOf(`--${token.name}`, definition, token.value, inline));
  }
  return Object.fromEntries(
    Object.entries(table).map(([name, definition]) => [name, given.get(name) ?? fallback(definition, env)]),
  ) as FlagValues<Table>;
}

/** Go's flag package accepts one dash or two, and the manifests of many operators use one. */
function withTwoDashes(argv: readonly string[]): string[] {
  const end = argv.indexOf('--');
  return argv.map((argument, index) =>
    (end < 0 || index < end) && /^-[A-Za-z]/.test(argument) ? `-${argument}` : argument,
  );
}

function valueOf(
  flag: string,
  { type, placeholder = 'value' }: FlagDefinition,
  value: string | undefined,
  isInline: boolean,
): string | boolean {
  if (type === 'boolean') return value === undefined ? true : booleanOf(flag, value);
  if (value === undefined || (!isInline && value.startsWith('-'))) {
    throw new FlagError(`${flag} has no value`, `Use ${flag}=<${placeholder}>.`);
  }
  return value;
}

function fallback(
  { type, env: variable, default: value }: FlagDefinition,
  env: Readonly<Record<string, string | undefined>>,
): string | boolean | undefined {
  const text = variable === undefined ? undefined : env[variable];
  if (text !== undefined && text !== '') return type === 'boolean' ? booleanOf(variable!, text) : text;
  return value ?? (type === 'boolean' ? false : undefined);
}

/** As Go's strconv.ParseBool. */
function booleanOf(name: string, text: string): boolean {
  if (/^(1|t|T|true|TRUE|True)$/.test(text)) return true;
  if (/^(0|f|F|false|FALSE|False)$/.test(text)) return false;
  throw new FlagError(`${name} is ${JSON.stringify(text)}`, 'Use true or false.');
}

function notAFlag(argument: string): FlagError {
  const hint = /^(true|false)$/.test(argument)
    ? `Write --flag=${argument}: a boolean flag takes its value only after an equals sign.`
    : 'Write flags as --flag=value; --help lists them.';
  return new FlagError(`${JSON.stringify(argument)} is not a flag`, hint);
}

/** Lists the flags of the same group: a wrong word is more common than a typo. */
function unknownFlag(name: string, table: FlagTable): FlagError {
  const [group] = name.split('-');
  const related = Object.keys(table).filter((known) => known.split('-')[0] === group);
  const hint =
    related.length > 0
      ? `Flags that start with ${group}: --${related.join(', --')}.`
      : '--help lists the flags.';
  return new FlagError(`--${name} is not a flag`, hint);
}
