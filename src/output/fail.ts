import { constants } from 'node:os';
import { type Command, CommanderError } from 'commander';
import { commandAt } from '../commands/shared/command-at.ts';
import type { Context } from '../context.ts';
import { Interrupted } from '../errors/interrupted.ts';
import type { OtsError } from '../errors/ots-error.ts';
import { UsageError } from '../errors/usage-error.ts';
import { oneLine } from './one-line.ts';
import { reportError } from './report-error.ts';

/**
 * Reports an error that ended a command.
 *
 * @returns the exit code: 2 for wrong usage, that of the signal when one ended it, 0 when there was no error, else 1
 */
export function fail(error: unknown, argv: readonly string[], program: Command, context: Context): number {
  // The help that was asked for has been printed.
  if (error instanceof CommanderError && error.exitCode === 0) return 0;
  if (error instanceof Interrupted) return 128 + constants.signals[error.signal];
  const known = error instanceof CommanderError ? usageError(error, commandAt(argv, program)) : error;
  const options = { json: argv.includes('--json'), verbose: argv.includes('--verbose') };
  reportError(known, options, context);
  return known instanceof UsageError ? 2 : 1;
}

function usageError(error: CommanderError, command: Command): OtsError {
  const typed = typedAs(command);
  const isHalf = error.code === 'commander.help';
  return new UsageError(
    'usage',
    isHalf ? `${typed} needs a command` : oneLine(error.message.replace(/^error: /, '')),
    {
      hint: `Run ${typed} --help to see what it takes.`,
    },
  );
}

function typedAs(command: Command): string {
  return command.parent ? `${typedAs(command.parent)} ${command.name()}` : command.name();
}
