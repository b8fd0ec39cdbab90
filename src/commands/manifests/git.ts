import { execa } from 'execa';
import type { Context } from '../../context.ts';
import { OtsError } from '../../errors/ots-error.ts';
import { oneLine } from '../../output/one-line.ts';

/** How a run of git ended. */
interface GitResult {
  readonly failed: boolean;
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
}

/** Runs git in a directory. */
export type Git = (args: readonly string[], input?: string) => Promise<GitResult>;

/**
 * Git as the user has it, in a directory. Arguments are handed over as they are: no shell looks at them.
 *
 * @throws OtsError `GIT_MISSING` from the first call when there is no git
 */
export function gitIn(directory: string, { env }: Context): Git {
  return async (args, input = '') => {
    const result = await execa('git', [...args], {
      cwd: directory,
      // In English, for there is nothing but the text to tell errors apart.
      env: { ...env, LC_ALL: 'C', GIT_OPTIONAL_LOCKS: '0' },
      extendEnv: false,
      input,
      encoding: 'buffer',
      reject: false,
    });
    if (result.code !== 'ENOENT') return result;
    throw new OtsError('GIT_MISSING', 'There is no git to read the earlier definitions with.', {
      hint: 'Install git, or add its directory to PATH.',
    });
  };
}

/** What git said last, as one line; it is where the reason stands. */
export function reasonOf({ stderr }: GitResult): string {
  const said = Buffer.from(stderr).toString('utf8').trim().split('\n');
  return oneLine(said.find((line) => /^(?:fatal|error):/.test(line)) ?? said.at(-1) ?? '');
}
