import { PassThrough, Writable } from 'node:stream';
import { readObjects } from 'ots-apiserver/kustomize';
import { stringify } from 'yaml';
import type { Context } from '../../src/context.ts';
import type { Build } from '../../src/deploy/kustomize.ts';
import { exitCode } from '../../src/errors/exit-code.ts';
import { InterruptedError } from '../../src/errors/interrupted-error.ts';
import { reportError } from '../../src/output/report-error.ts';
import type { RunResult } from './run.ts';

/** What the functions behind the commands that change a cluster have in common. */
type Command<Options> = (options: Options, context: Context, build?: Build) => Promise<void>;

/**
 * Runs a command that builds objects, without kubectl: with our own reader of kustomizations.
 *
 * @param build default: reads the kustomization
 */
export async function runOnCluster<Options extends { json?: boolean }>(
  command: Command<Options>,
  options: Options,
  context: Partial<Context> = {},
  build: Build = buildHere,
): Promise<RunResult> {
  const output = { stdout: '', stderr: '' };
  const stream = (name: 'stdout' | 'stderr') => {
    const collect = (chunk: Buffer, _: string, done: () => void) => {
      output[name] += chunk.toString('utf8');
      done();
    };
    return new Writable({ write: collect }) as NodeJS.WriteStream;
  };
  const whole: Context = {
    stdin: new PassThrough() as unknown as NodeJS.ReadStream,
    stdout: stream('stdout'),
    stderr: stream('stderr'),
    cwd: '/',
    env: {},
    interactive: false,
    now: () => new Date('2026-01-01T00:00:00Z'),
    untilSignal: () => new Promise(() => {}),
    ...context,
  };
  try {
    await command(options, whole, build);
    return { code: 0, ...output };
  } catch (error) {
    const { json = false } = options;
    if (!(error instanceof InterruptedError)) reportError(error, { json, verbose: false }, whole);
    return { code: exitCode(error), ...output };
  }
}

/** Builds like kustomize. */
const buildHere: Build = async (directory, { root }) => {
  const manifests = await readObjects(`${root}/${directory}`);
  return manifests.map(({ object }) => stringify(object)).join('---\n');
};

/** Builds the given objects. */
export function buildOf(objects: readonly object[]): Build {
  return () => Promise.resolve(objects.map((object) => stringify(object)).join('---\n'));
}
