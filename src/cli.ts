import type { Context } from './context.ts';
import { packageVersion } from './version.ts';

/**
 * Runs the CLI once.
 *
 * @param argv the arguments after `ots`
 * @returns the exit code: 0 done, 1 refused or failed, 2 wrong usage, 128 and more ended by a signal
 */
export async function main(argv: readonly string[], context: Context): Promise<number> {
  // Scripts ask for this often, and it needs nothing of what follows.
  if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
    context.stdout.write(`${packageVersion}\n`);
    return 0;
  }
  const { createProgram } = await import('./program.ts');
  const program = createProgram(context, argv[0]);
  try {
    await program.parseAsync(argv, { from: 'user' });
    return 0;
  } catch (error) {
    const { fail } = await import('./fail.ts');
    return fail(error, argv, program, context);
  }
}
