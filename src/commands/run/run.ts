import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Context } from '../../context.ts';
import { InterruptedError } from '../../errors/interrupted-error.ts';
import { OtsError } from '../../errors/ots-error.ts';
import { ProgramEndedError } from '../../errors/program-ended-error.ts';
import type { ClusterOptions } from '../shared/cluster-options.ts';
import { projectRoot } from '../shared/in-project.ts';
import { confirmCluster, connectionOf } from '../shared/with-cluster.ts';
import { kubeconfigVariable } from './kubeconfig-variable.ts';

const program = 'dist/main.js';

/**
 * `ots run`: builds the operator and runs it here, with the rights of the user. Signals reach it, and the exit code is its own.
 *
 * @throws InterruptedError if a signal ended the operator; ProgramEndedError with its exit code; OtsError `BUILD_FAILED`
 */
export async function run(options: ClusterOptions & { flags?: string[] }, context: Context): Promise<void> {
  const root = projectRoot(options, context);
  const connection = await connectionOf(options, context);
  const args = ['--enable-source-maps', program, ...(options.flags ?? [])];
  if (options.dryRun) {
    if (options.json) context.stdout.write(`${JSON.stringify({ command: 'run', root, args })}\n`);
    else context.stdout.write(`Would run node ${args.join(' ')} against ${connection.server}\n`);
    return;
  }
  await confirmCluster('run', connection, options, context);
  await runBuild(root, context);
  const kubeconfig = kubeconfigVariable(options, context);
  try {
    await runOperator(args, { root, env: { ...context.env, ...kubeconfig.env } }, context);
  } finally {
    kubeconfig.remove();
  }
}

async function runOperator(
  args: readonly string[],
  { root, env }: { root: string; env: NodeJS.ProcessEnv },
  context: Context,
): Promise<void> {
  // Its own output and terminal: logs are then for people.
  const operator = spawn(process.execPath, args, { cwd: root, env, stdio: 'inherit' });
  const ended = once(operator, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  void forwardSignals((signal) => operator.kill(signal), context);
  const [code, signal] = await ended;
  if (signal) throw new InterruptedError(signal);
  if (code) throw new ProgramEndedError(code);
}

async function runBuild(root: string, { env }: Context): Promise<void> {
  const { execa } = await import('execa');
  const result = await execa('npm', ['run', '--silent', 'build'], {
    cwd: root,
    env,
    extendEnv: false,
    reject: false,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (result.failed) {
    throw new OtsError(
      'BUILD_FAILED',
      `npm run build failed: ${result.exitCode === undefined ? (result.shortMessage ?? '') : `exit code ${result.exitCode}`}`,
      {
        hint: 'Fix what it says above, and run the command again.',
      },
    );
  }
  if (existsSync(join(root, program))) return;
  throw new OtsError('NO_PROGRAM', `npm run build did not write ${program}`, {
    hint: 'Set outDir in tsconfig.json to dist, and keep src/main.ts.',
  });
}

/** A terminal sends Ctrl-C to the operator, too; a second one would end it at once. */
async function forwardSignals(send: (signal: NodeJS.Signals) => void, context: Context): Promise<void> {
  for (;;) {
    const signal = await context.untilSignal();
    const isTyped = signal === 'SIGINT' && (context.stdin.isTTY || context.stderr.isTTY);
    if (!isTyped) send(signal);
  }
}
