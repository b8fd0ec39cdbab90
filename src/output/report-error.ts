import { OtsError } from '../errors/ots-error.ts';
import { type Context, paint } from '../context.ts';

const BUG_HINT = 'This is a bug in ots: please report it with the output of the same command and --verbose.';

/** Tells the user what went wrong and what to do about it: two lines, or one JSON document on stdout. */
export function reportError(
  error: unknown,
  options: { json: boolean; verbose: boolean },
  context: Context,
): void {
  const known = error instanceof OtsError;
  const message = error instanceof Error ? error.message : String(error);
  const code = known ? error.code : 'internal';
  const hint = known ? error.hint : BUG_HINT;
  if (options.json) {
    const details = known && error.details ? { details: error.details } : {};
    context.stdout.write(`${JSON.stringify({ error: { code, message, hint, ...details } }, null, 2)}\n`);
  } else {
    const { stderr } = context;
    stderr.write(`${paint(stderr, 'red', 'error:')} ${message}\n${paint(stderr, 'cyan', 'hint:')} ${hint}\n`);
  }
  if (options.verbose && error instanceof Error) context.stderr.write(`${error.stack}\n`);
}
