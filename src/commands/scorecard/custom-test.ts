import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { reasonOf } from '../../errors/reason-of.ts';
import type { Bundle } from '../../olm/bundle/bundle.ts';
import type { TestConfiguration } from '../../olm/scorecard/configuration.ts';
import { customResults } from '../../olm/scorecard/custom-results.ts';
import type { TestResult } from '../../olm/scorecard/test-list.ts';
import { oneLine } from '../../output/one-line.ts';
import { packageRoot } from '../../package-root.ts';
import { findModule } from './module-file.ts';
import type { FromRunner, TestInput, ToRunner } from './runner-message.ts';

/** The longest log of a test that is kept, in characters. */
const maxLogLength = 2 ** 16;

/** What custom tests share. */
export interface CustomTestContext {
  readonly bundle: Bundle;
  /** Of the bundle, absolute. */
  readonly directory: string;
  /** Where the command runs, absolute. */
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Starts a cluster, or waits for the one that another test needed. @returns the path of a kubeconfig */
  readonly cluster: (operator: boolean) => Promise<string>;
}

/**
 * Runs a custom test in a process of its own: one that hangs, crashes or ends the process is a result like others.
 *
 * @param name the path of its module
 */
export async function runCustomTest(
  test: TestConfiguration,
  name: string,
  context: CustomTestContext,
  signal: AbortSignal,
): Promise<TestResult[]> {
  const label = test.labels['test'] ?? name;
  const found = await findModule(name, context.directory, context.cwd);
  if ('problem' in found) return [failure(label, 'error', found.problem, '')];
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ['--enable-source-maps', runner()], {
      cwd: context.cwd,
      env: { ...context.env },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    const log = new Log(child);
    let outcome: TestResult[] | undefined;
    const kill = () => child.kill('SIGKILL');
    signal.addEventListener('abort', kill, { once: true });
    child.on('message', (message: FromRunner) => {
      if (message.type === 'cluster') void answer(child, message, context);
      else outcome = resultsOf(message, label);
    });
    // Without a process there is nothing to send to; `close` follows.
    child.on('error', () => {});
    child.on('close', (code, killed) => {
      signal.removeEventListener('abort', kill);
      const end = `the process of the test ended with ${killed ?? `exit code ${code}`}`;
      resolve(withLog(outcome ?? [failure(label, 'error', end, '')], log.text));
    });
    send(child, { type: 'run', input: inputOf(found.file, test, context) });
  });
}

function runner(): string {
  return fileURLToPath(new URL('dist/scorecard-runner.mjs', packageRoot));
}

function send(child: ChildProcess, message: ToRunner): void {
  if (child.connected) child.send(message, () => {});
}

function inputOf(
  file: string,
  { labels, entrypoint }: TestConfiguration,
  { bundle, directory }: CustomTestContext,
): TestInput {
  const { name, package: packageName, channels, objects } = bundle;
  return {
    module: pathToFileURL(file).href,
    bundle: { directory, name, package: packageName, channels, objects: objects.map(({ object }) => object) },
    labels,
    args: entrypoint.slice(1),
  };
}

async function answer(
  child: ChildProcess,
  { id, operator }: Extract<FromRunner, { type: 'cluster' }>,
  { cluster }: CustomTestContext,
): Promise<void> {
  try {
    send(child, { type: 'cluster', id, kubeconfig: await cluster(operator) });
  } catch (error) {
    send(child, { type: 'no-cluster', id, problem: reasonOf(error) });
  }
}

function resultsOf(message: Exclude<FromRunner, { type: 'cluster' }>, label: string): TestResult[] {
  if (message.type === 'failed') return [failure(label, 'fail', message.problem, '')];
  if (message.type === 'broken') return [failure(label, 'error', message.problem, '')];
  const value: unknown = message.json === undefined ? undefined : JSON.parse(message.json);
  const results = customResults(value, label);
  return 'problem' in results ? [failure(label, 'error', results.problem, '')] : results;
}

function failure(name: string, state: 'fail' | 'error', problem: string, log: string): TestResult {
  return { name, state, errors: [oneLine(problem)], suggestions: [], log };
}

/** What the test printed belongs to its first result. */
function withLog([first, ...others]: readonly TestResult[], printed: string): TestResult[] {
  if (!first) return [];
  return [{ ...first, log: first.log + printed }, ...others];
}

/** What a process prints, up to a limit. */
class Log {
  text = '';

  constructor({ stdout, stderr }: ChildProcess) {
    for (const stream of [stdout!, stderr!])
      stream.setEncoding('utf8').on('data', (text: string) => {
        this.text = `${this.text}${text}`.slice(0, maxLogLength);
      });
  }
}
