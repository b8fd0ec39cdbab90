import { type Command, Option } from 'commander';
import type { CommonOptions } from '../../common-options.ts';
import type { Context } from '../../context.ts';

/** Adds a command to the program. Declarations run at every start, so they import nothing that only the command needs. */
export type Declare = (program: Command, context: Context) => void;

type Run<Options> = (options: Options & CommonOptions, context: Context) => Promise<void>;

/** How a command is called. */
export interface Usage {
  readonly name: string;
  readonly description: string;
  /** Command lines for `--help`. */
  readonly examples: readonly string[];
  /** Another form of the flag `--dry-run`. Default: the one of commands that write files. */
  readonly dryRun?: Option;
}

/** Adds a command with the flags that all commands share. */
export function declareCommand(parent: Command, { name, description, examples, dryRun }: Usage): Command {
  return parent
    .command(name)
    .description(description)
    .allowExcessArguments(false)
    .addHelpText('after', examplesText(examples))
    .addOption(dryRun ?? new Option('--dry-run', 'show what would change, with diffs, and write nothing'))
    .option('--json', 'print the result or the error as JSON')
    .option('--cwd <directory>', 'run as if started in this directory')
    .option('-q, --quiet', 'print errors only')
    .option('--verbose', 'print more detail');
}

/** The last part of a help text. */
export function examplesText(examples: readonly string[]): string {
  return `\nExamples:\n${examples.map((example) => `  ${example}\n`).join('')}`;
}

/**
 * Sets what a command does.
 *
 * @param load imports it, when the command runs
 */
export function onRun<Options>(command: Command, context: Context, load: () => Promise<Run<Options>>): void {
  command.action(async () => {
    const run = await load();
    await run({ ...command.optsWithGlobals(), ...positionalArguments(command) }, context);
  });
}

function positionalArguments({ registeredArguments, processedArgs }: Command): Record<string, unknown> {
  const given = registeredArguments.map(
    (argument, index) => [argument.name(), processedArgs[index]] as const,
  );
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}
