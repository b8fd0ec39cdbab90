import { PassThrough } from 'node:stream';
import { fakeTerminal } from './fake-terminal.ts';
import { type RunResult, run } from './run.ts';

export const enterKey = '\r';

/** The text to wait for on the terminal, and what the user types then. Undefined closes the terminal. */
export type Turn = readonly [waitFor: string, type: string | undefined];

/** Runs a command with a user at the terminal. */
export async function converse(
  cwd: string,
  args: string[],
  turns: readonly Turn[],
): Promise<RunResult & { asked: string; left: number }> {
  const stdin = new PassThrough();
  const terminal = fakeTerminal();
  const rest = [...turns];
  let seen = 0;
  terminal.stream.on('data', () => {
    const [next] = rest;
    const at = next ? terminal.text().indexOf(next[0], seen) : -1;
    if (!next || at < 0) return;
    seen = at + next[0].length;
    rest.shift();
    // The user types after the question is drawn.
    setImmediate(() => (next[1] === undefined ? stdin.end() : stdin.write(next[1])));
  });
  const result = await run(cwd, args, {
    stdin: stdin as unknown as NodeJS.ReadStream,
    stderr: terminal.stream,
    interactive: true,
    env: { TERM: 'dumb' },
  });
  return { ...result, asked: terminal.text(), left: rest.length };
}
