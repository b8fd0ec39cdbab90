import { constants } from 'node:os';
import { InterruptedError } from './interrupted-error.ts';
import { ProgramEndedError } from './program-ended-error.ts';
import { UsageError } from './usage-error.ts';

/**
 * The exit code of a command that ended with an error.
 *
 * @returns 2 for wrong usage, 128 plus its number for a signal, that of the program that the command ran, 1 for everything else
 */
export function exitCode(error: unknown): number {
  if (error instanceof InterruptedError) return 128 + constants.signals[error.signal];
  if (error instanceof ProgramEndedError) return error.exitCode;
  return error instanceof UsageError ? 2 : 1;
}
