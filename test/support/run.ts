import { PassThrough, Writable } from 'node:stream';
import { vi } from 'vitest';
import { type Context } from '../../src/context.ts';
import { main } from '../../src/cli.ts';

// Packing ots is three quarters of the work of `ots init`, and gives the same bytes each time: once has to do.
vi.mock(import('../../src/layouts/typescript/pack-package.ts'), async (original) => {
  const { packPackage, ...others } = await original();
  const packed = new Map<string, ReturnType<typeof packPackage>>();
  return {
    ...others,
    packPackage(directory) {
      const known = packed.get(directory.href) ?? packPackage(directory);
      packed.set(directory.href, known);
      return known;
    },
  };
});

/** What a run of the CLI did. */
export interface RunResult {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs the CLI in this process, as if typed in `cwd` with nobody at the terminal. */
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
