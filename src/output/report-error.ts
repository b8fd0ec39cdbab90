import { OtsError } from '../errors/ots-error.ts';
import type { Context } from '../context.ts';
import { paint } from './paint.ts';
import { oneLine } from './one-line.ts';

/** Prints what went wrong and what to do: two lines on stderr, or one JSON document on stdout. */
export function reportError(
  error: unknown,
  options: { json: boolean; verbose: boolean },
  context: Context,
): void {
  const { stdout, stderr } = context;
  if (options.json) {
    stdout.write(`${JSON.stringify(describeError(error), null, 2)}\n`);
  } else {
    const { message, hint } = known(error);
    stderr.write(`${paint(context, 'stderr', 'red', 'error:')} ${message}\n`);
    stderr.write(`${paint(context, 'stderr', 'cyan', 'hint:')} ${hint}\n`);
  }
  if (options.verbose && error instanceof Error) stderr.write(`${error.stack}\n`);
}

/** An error as a document for programs. */
export function describeError(error: unknown): { error: object } {
  const { code, message, hint, details } = known(error);
  return { error: { code, message, hint, ...(details && { details }) } };
}

function known(error: unknown): OtsError {
  return error instanceof OtsError ? error : explain(error);
}

/** Explains an unexpected error: an error of the system, or a bug in ots. */
function explain(error: unknown): OtsError {
  const message = oneLine(error instanceof Error ? error.message : String(error));
  if (error instanceof Error && 'syscall' in error) {
    return new OtsError('SYSTEM_ERROR', message, {
      hint: 'Check the path, its permissions and the free disk space, and run the command again.',
    });
  }
  return new OtsError('INTERNAL', message, {
    hint: 'This is a bug in ots. Report it with the output of the same command with --verbose.',
  });
}
