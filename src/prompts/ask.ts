import type { Context } from '../context.ts';
import { OtsError } from '../errors/ots-error.ts';
import { UsageError } from '../errors/usage-error.ts';
import { atTerminal } from './at-terminal.ts';

export interface Question {
  /** The flag with the answer, for example `--kind`. */
  readonly flag: string;
  /** The value from the command line. */
  readonly given: string | undefined;
  readonly message: string;
  /** A valid answer, shown to the user. */
  readonly example: string;
  /** The answer that the user can change. */
  readonly initial?: string;
  /** Throws an OtsError for an invalid answer. */
  readonly check: (answer: string) => void;
}

/**
 * The answer to a question: from the command line, or else from a prompt. Without a terminal there are no prompts.
 *
 * @throws UsageError `MISSING_FLAG` without a terminal, OtsError `CANCELED`, and errors of `check`
 */
export async function ask(question: Question, context: Context): Promise<string> {
  const { flag, given, message, example, initial, check } = question;
  if (given !== undefined) {
    check(given);
    return given;
  }
  if (!context.interactive) {
    throw new UsageError('MISSING_FLAG', `${flag} is missing`, {
      hint: `Add it, for example ${flag} ${example}.`,
    });
  }
  const { isCancel, text } = await import('@clack/prompts');
  const validate = (value?: string): string | undefined => problem(check, value ?? '');
  const answer = await atTerminal(context, (terminal) =>
    text({
      message,
      placeholder: example,
      ...(initial && { initialValue: initial }),
      validate,
      ...terminal,
    }),
  );
  if (isCancel(answer))
    throw new OtsError('CANCELED', 'Canceled', {
      hint: 'ots wrote nothing. Run the command again to start over.',
    });
  // An empty answer is undefined.
  return answer ?? '';
}

function problem(check: (answer: string) => void, answer: string): string | undefined {
  try {
    check(answer);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
