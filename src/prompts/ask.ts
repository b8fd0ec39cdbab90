import type { Context } from '../context.ts';
import { OtsError } from '../errors/ots-error.ts';
import { UsageError } from '../errors/usage-error.ts';

export interface Question {
  /** The flag that answers it, for example `--kind`. */
  readonly flag: string;
  /** What the user gave on the command line. */
  readonly given: string | undefined;
  readonly message: string;
  /** An answer that would be right, shown to the user. */
  readonly example: string;
  /** Throws an OtsError for an answer that cannot be used. */
  readonly check: (answer: string) => void;
}

/**
 * Answers a question: from the command line, else by asking on the terminal; never by asking where nobody is.
 *
 * @throws UsageError `MISSING_FLAG` without a terminal, OtsError `CANCELED`, and what `check` throws
 */
export async function ask(question: Question, context: Context): Promise<string> {
  const { flag, given, message, example, check } = question;
  if (given !== undefined) {
    check(given);
    return given;
  }
  if (!context.interactive) {
    throw new UsageError('MISSING_FLAG', `${flag} is missing.`, {
      hint: `Add it, for example ${flag} ${example}.`,
    });
  }
  const { isCancel, text } = await import('@clack/prompts');
  const { stdin: input, stderr: output } = context;
  const gone = new AbortController();
  const leave = (): void => gone.abort();
  // Without this the question would wait for ever for a terminal that was closed.
  input.once('end', leave);
  const validate = (value?: string): string | undefined => problem(check, value ?? '');
  const answer = await text({ message, placeholder: example, validate, input, output, signal: gone.signal });
  input.off('end', leave);
  if (isCancel(answer)) throw new OtsError('CANCELED', 'Cancelled.', { hint: 'Nothing was written.' });
  return answer;
}

function problem(check: (answer: string) => void, answer: string): string | undefined {
  try {
    check(answer);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
