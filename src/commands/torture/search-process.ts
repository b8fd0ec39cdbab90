import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { TortureReport } from 'ots-testing';
import { oneLine } from '../../output/one-line.ts';
import { packageRoot } from '../../package-root.ts';
import { countOf } from '../../torture/report/describe-report.ts';
import type { SampleFailure } from '../../torture/torture-result.ts';
import type { FromRunner, SearchInput, SearchProgress, ToRunner } from './runner-message.ts';

/** When a process is killed. */
export interface Patience {
  /** How long it may say nothing, in milliseconds. It says something each second. */
  readonly silenceMs: number;
  /** How long it may take to report when it is stopped, in milliseconds. */
  readonly graceMs: number;
}

/** What processes of a search share. */
export interface SearchProcessOptions {
  /** Absolute path of the project. */
  readonly root: string;
  readonly env: NodeJS.ProcessEnv;
  /** Ends the search: it reports what it has found so far. */
  readonly signal: AbortSignal;
  readonly patience: Patience;
}

/** How a process ended: with a report, with a failure, or with neither because it was stopped. */
export interface SearchEnd {
  readonly report?: TortureReport;
  readonly failure?: Omit<SampleFailure, 'sample'>;
}

/** How much of its standard error is kept, in characters. */
const maxErrorLength = 2 ** 14;

/** Searches in a process of its own: an operator that crashes it, ends it or hangs is a result like others. */
export function runSearch(
  input: SearchInput,
  { root, env, signal, patience: { silenceMs, graceMs } }: SearchProcessOptions,
  onProgress: (progress: SearchProgress) => void,
): Promise<SearchEnd> {
  return new Promise((resolve) => {
    const runner = fileURLToPath(new URL('dist/torture-runner.mjs', packageRoot));
    const child = spawn(process.execPath, ['--enable-source-maps', runner], {
      cwd: root,
      env: { ...env },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    const errors = tailOf(child.stderr!);
    let last: SearchProgress | undefined;
    let end: SearchEnd | undefined;
    const kill = (reason: SearchEnd) => {
      end ??= reason;
      child.kill('SIGKILL');
    };
    const watchdog = setTimeout(() => kill({ failure: silence(input, last, silenceMs) }), silenceMs);
    const stop = () => {
      send(child, { type: 'stop' });
      setTimeout(() => kill(stopped(input, last)), graceMs).unref();
    };
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
    child.on('message', (message: FromRunner) => {
      watchdog.refresh();
      if (message.type === 'progress') onProgress((last = message.progress));
      else if (message.type === 'report') end ??= { report: message.report };
      else if (message.type === 'failed') end ??= { failure: failureOf(message, input, last) };
    });
    // Without a process there is nothing to send to; `close` follows.
    child.on('error', () => {});
    child.on('close', (code, killed) => {
      clearTimeout(watchdog);
      signal.removeEventListener('abort', stop);
      const how = killed ?? `exit code ${code}`;
      resolve(end ?? { failure: earlyEnd(how, errors(), input, last) });
    });
    send(child, { type: 'search', input });
  });
}

/** @returns the last part of what a stream has said up to then */
function tailOf(stream: Readable): () => string {
  let text = '';
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    text = `${text}${chunk}`.slice(-maxErrorLength);
  });
  return () => text;
}

function send(child: ChildProcess, message: ToRunner): void {
  if (child.connected) child.send(message, () => {});
}

type Failure = NonNullable<SearchEnd['failure']>;

function failureOf(
  {
    problem,
    hint = 'Run npm test first: the search needs an operator that works undisturbed.',
  }: Extract<FromRunner, { type: 'failed' }>,
  input: SearchInput,
  last: SearchProgress | undefined,
): Failure {
  return last
    ? { problem: `${problem}${placeOf(last)}`, hint: `${hint} ${again(input)}` }
    : { problem, hint };
}

/** A process that was stopped, and did not report what it had found. */
function stopped(input: SearchInput, last: SearchProgress | undefined): SearchEnd {
  if (!last || last.findings === 0) return {};
  const problem = `The search was stopped${placeOf(last)} and did not report ${countOf(last.findings, 'finding')}`;
  return { failure: { problem, hint: again(input) } };
}

function silence(input: SearchInput, last: SearchProgress | undefined, silenceMs: number): Failure {
  return {
    problem: `The operator blocks its process: it said nothing for ${silenceMs / 1000} s${placeOf(last)}`,
    hint: `Look for a loop that does not await anything. ${again(input)}`,
  };
}

function earlyEnd(
  how: string,
  errors: string,
  input: SearchInput,
  last: SearchProgress | undefined,
): Failure {
  // Such as that there is no more memory.
  const reason = errors.split('\n').findLast((line) => /error/i.test(line));
  return {
    problem: `The process of the operator ended with ${how}${placeOf(last)}${reason === undefined ? '' : `: ${oneLine(reason.trim())}`}`,
    hint: `Look for process.exit, and for what needs much memory. ${again(input)}`,
  };
}

/** Where in the search it happened. */
function placeOf(last: SearchProgress | undefined): string {
  if (!last) return ' before the first plan';
  const plan = last.plan === undefined ? '' : `, the last one ${JSON.stringify(last.plan)}`;
  return ` after ${last.tried} of its ${last.plans} plans${plan}`;
}

function again({ sample, seed, plans }: SearchInput): string {
  const what = plans ? `--replay '${JSON.stringify(plans[0])}'` : '--full';
  return `To see it again, run ots torture ${oneLine(sample.file)} --seed ${seed} ${what}.`;
}
