import { type Command, CommanderError } from 'commander';
import { commandAt } from './commands/shared/command-at.ts';
import type { Context } from './context.ts';
import { exitCode } from './errors/exit-code.ts';
import { InterruptedError } from './errors/interrupted-error.ts';
import { ProgramEndedError } from './errors/program-ended-error.ts';
import { UsageError } from './errors/usage-error.ts';
import { oneLine } from './output/one-line.ts';
import { reportError } from './output/report-error.ts';

/**
 * Reports the error that ended a command.
 *
 * @returns the exit code; 0 when the "error" is only that commander printed the help
 */
export function fail(error: unknown, argv: readonly string[], program: Command, context: Context): number {
  if (error instanceof CommanderError && error.exitCode === 0) return 0;
  const known = error instanceof CommanderError ? usageError(error, commandAt(argv, program)) : error;
  const options = { json: argv.includes('--json'), verbose: argv.includes('--verbose') };
  const isSilent = known instanceof InterruptedError || known instanceof ProgramEndedError;
  if (!isSilent) reportError(known, options, context);
  return exitCode(known);
}

function usageError(error: CommanderError, command: Command): UsageError {
  const typed = typedAs(command);
  const isIncomplete = error.code === 'commander.help';
  return new UsageError('USAGE', isIncomplete ? `${typed} needs a command` : messageOf(error), {
    hint: `Run ${typed} --help to see the usage.`,
  });
}

/** The message of commander in our form: one line, without a period. */
function messageOf({ message }: CommanderError): string {
  const line = oneLine(message.replace(/^error: /, '')).replace(/\.$/, '');
  return `${line.charAt(0).toUpperCase()}${line.slice(1)}`;
}

function typedAs(command: Command): string {
  return command.parent ? `${typedAs(command.parent)} ${command.name()}` : command.name();
}
