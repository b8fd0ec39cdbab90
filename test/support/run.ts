import { PassThrough, Writable } from 'node:stream';
import { type Context } from '../../src/context.ts';
import { main } from '../../src/cli.ts';

/** What a run of the CLI did. */
export interface RunResult {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs the CLI in this process, as if typed in `cwd` without a terminal. */
export async function run(
  cwd: string,
  args: readonly string[],
  context: Partial<Context> = {},
): Promise<RunResult> {
  const output = { stdout: '', stderr: '' };
  const stream = (name: 'stdout' | 'stderr') => {
    const collect = (chunk: Buffer, _: string, done: () => void) => {
      output[name] += chunk.toString('utf8');
      done();
    };
    return new Writable({ write: collect }) as NodeJS.WriteStream;
  };
  const code = await main(args, {
    stdin: new PassThrough() as unknown as NodeJS.ReadStream,
    stdout: stream('stdout'),
    stderr: stream('stderr'),
    cwd,
    env: {},
    interactive: false,
    now: () => new Date('2026-01-01T00:00:00Z'),
    untilSignal: () => new Promise(() => {}),
    ...context,
  });
  return { code, ...output };
}
