import type { Context } from '../../context.ts';
import { OtsError } from '../../errors/ots-error.ts';
import { oneLine } from '../../output/one-line.ts';

/** The result of a git command. */
interface GitResult {
  readonly failed: boolean;
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
}

/** Runs git in a directory. */
export type Git = (args: readonly string[], input?: string) => Promise<GitResult>;

/**
 * The user's git, in a directory. It receives the arguments unchanged, without a shell.
 *
 * @throws OtsError `GIT_MISSING` from the first call if git is not installed
 */
export function gitIn(directory: string, { env }: Context): Git {
  return async (args, input = '') => {
    const { execa } = await import('execa');
    const result = await execa('git', [...args], {
      cwd: directory,
      // In English, because only the text tells errors apart.
      env: { ...env, LC_ALL: 'C', GIT_OPTIONAL_LOCKS: '0' },
      extendEnv: false,
      input,
      encoding: 'buffer',
      reject: false,
    });
    if (result.code !== 'ENOENT') return result;
    throw new OtsError('GIT_MISSING', 'git is not installed, so ots cannot read earlier versions of files', {
      hint: 'Install git, or add its directory to PATH.',
    });
  };
}

/** The reason for a failure, as one line: the last message of git. */
export function reasonOf({ stderr }: GitResult): string {
  const said = Buffer.from(stderr).toString('utf8').trim().split('\n');
  return oneLine(said.find((line) => /^(?:fatal|error):/.test(line)) ?? said.at(-1) ?? '');
}
