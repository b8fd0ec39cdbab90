import type { Context } from '../context.ts';

/** Where a prompt reads and writes, and the signal that ends it. */
export interface Terminal {
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WriteStream;
  readonly signal: AbortSignal;
}

/** Shows a prompt on stderr, and cancels it when the terminal closes: otherwise it would wait forever. */
export async function atTerminal<Answer>(
  { stdin: input, stderr: output }: Context,
  prompt: (terminal: Terminal) => Promise<Answer>,
): Promise<Answer> {
  const gone = new AbortController();
  const leave = (): void => gone.abort();
  input.once('end', leave);
  const answer = await prompt({ input, output, signal: gone.signal });
  input.off('end', leave);
  return answer;
}
