import { run } from '../support/run.ts';

/**
 * Runs one command of the CLI in a project, without npm.
 *
 * @throws when the command fails
 */
export async function scaffoldStep(directory: string, args: readonly string[]): Promise<void> {
  const isInit = args[0] === 'init' && !args.includes('--skip-install');
  const { code, stderr } = await run(directory, isInit ? [...args, '--skip-install'] : args);
  if (code !== 0) throw new Error(`ots ${args.join(' ')}: ${stderr}`);
}
