import type { Context } from '../context.ts';
import { OtsError } from '../errors/ots-error.ts';
import { atTerminal } from './at-terminal.ts';

/** What to confirm. */
export interface Confirmation {
  /** A question that yes answers. */
  readonly question: string;
  /** Why it is asked: an error of its own without a terminal, where `--yes` answers it. */
  readonly code: string;
  readonly reason: string;
  /** What to do without a terminal. */
  readonly hint: string;
}

/**
 * Asks before something that cannot be undone. No is the default.
 *
 * @throws OtsError `CANCELED` for every answer but yes; with the code of the confirmation without a terminal
 */
export async function confirm(
  { question, code, reason, hint }: Confirmation,
  context: Context,
): Promise<void> {
  if (!context.interactive) throw new OtsError(code, reason, { hint });
  const { confirm: prompt } = await import('@clack/prompts');
  const answer = await atTerminal(context, (terminal) =>
    prompt({ message: question, initialValue: false, ...terminal }),
  );
  if (answer !== true)
    throw new OtsError('CANCELED', 'Canceled', {
      hint: 'ots changed nothing. Run the command again to start over.',
    });
}
