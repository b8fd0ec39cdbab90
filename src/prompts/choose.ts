import type { Context } from '../context.ts';
import { OtsError } from '../errors/ots-error.ts';
import { atTerminal } from './at-terminal.ts';

/** One of the answers to choose from. */
export interface Choice {
  readonly value: string;
  readonly label: string;
}

/**
 * Asks the user at a terminal to choose.
 *
 * @param choices at least one
 * @returns the value of the choice
 * @throws OtsError `CANCELED`
 */
export async function chooseOne(
  message: string,
  choices: readonly Choice[],
  context: Context,
): Promise<string> {
  const { select } = await import('@clack/prompts');
  return given(
    await atTerminal(context, (terminal) => select({ message, options: [...choices], ...terminal })),
  );
}

/**
 * Asks the user at a terminal to choose at least one of several.
 *
 * @param choices at least one
 * @returns the values of the choices
 * @throws OtsError `CANCELED`
 */
export async function chooseSome(
  message: string,
  choices: readonly Choice[],
  context: Context,
): Promise<string[]> {
  const { multiselect } = await import('@clack/prompts');
  return given(
    await atTerminal(context, (terminal) =>
      multiselect({ message, options: [...choices], required: true, ...terminal }),
    ),
  );
}

function given<Answer>(answer: Answer): Exclude<Answer, symbol> {
  if (typeof answer !== 'symbol') return answer as Exclude<Answer, symbol>;
  throw new OtsError('CANCELED', 'Canceled', {
    hint: 'ots changed nothing. Run the command again to start over.',
  });
}
