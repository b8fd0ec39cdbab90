import type { Context } from '../context.ts';
import { OtsError } from '../errors/ots-error.ts';

/** One of the answers to choose from. */
export interface Choice {
  readonly value: string;
  readonly label: string;
}

/**
 * Asks the user at a terminal to choose.
 *
 * @param choices at least one
 * @throws OtsError `CANCELED`
 */
export async function chooseOne(
  message: string,
  choices: readonly Choice[],
  context: Context,
): Promise<string> {
  const { select } = await import('@clack/prompts');
  const [answer] = await answered(context, async (terminal) => [
    await select({ message, options: [...choices], ...terminal }),
  ]);
  return answer as string;
}

/**
 * Asks the user at a terminal to choose at least one of several.
 *
 * @throws OtsError `CANCELED`
 */
export async function chooseSome(
  message: string,
  choices: readonly Choice[],
  context: Context,
): Promise<string[]> {
  const { multiselect } = await import('@clack/prompts');
  return answered(context, (terminal) =>
    multiselect({ message, options: [...choices], required: true, ...terminal }),
  );
}

interface Terminal {
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WriteStream;
  readonly signal: AbortSignal;
}

async function answered(
  { stdin: input, stderr: output }: Context,
  prompt: (terminal: Terminal) => Promise<readonly (string | symbol)[] | symbol>,
): Promise<string[]> {
  const gone = new AbortController();
  const leave = (): void => gone.abort();
  // Without this, the prompt would wait forever after the terminal closed.
  input.once('end', leave);
  const answer = await prompt({ input, output, signal: gone.signal });
  input.off('end', leave);
  const values = typeof answer === 'symbol' ? [answer] : answer;
  if (values.every((value) => typeof value === 'string')) return [...values];
  throw new OtsError('CANCELED', 'Canceled', {
    hint: 'ots changed nothing. Run the command again to start over.',
  });
}
