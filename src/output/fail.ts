import { CommanderError } from 'commander';
import type { OtsError } from '../errors/ots-error.ts';
import { UsageError } from '../errors/usage-error.ts';
import { reportError } from './report-error.ts';
import type { Context } from '../context.ts';

/**
 * Reports an error that ended a command.
 *
 * @returns the exit code: 2 for wrong usage, else 1
 */
export function fail(error: unknown, argv: readonly string[], context: Context): number {
  const known = error instanceof CommanderError ? usageError(error, argv) : error;
  const options = { json: argv.includes('--json'), verbose: argv.includes('--verbose') };
  reportError(known, options, context);
  return known instanceof UsageError ? 2 : 1;
}

function usageError(error: CommanderError, argv: readonly string[]): OtsError {
  const message = error.message.replace(/^error: /, '').replaceAll('\n', ' ');
  const command = [
    'ots',
    ...argv.slice(0, argv[0] === 'create' ? 2 : 1).filter((word) => !word.startsWith('-')),
  ];
  const missingCommand = error.code === 'commander.help';
  return new UsageError('usage', missingCommand ? `${command.join(' ')} needs a command` : message, {
    hint: `Run ${command.join(' ')} --help to see what it takes.`,
  });
}
