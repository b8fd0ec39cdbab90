import { setMaxListeners } from 'node:events';
import type { Context } from '../../context.ts';
import { InterruptedError } from '../../errors/interrupted-error.ts';
import type { Bundle } from '../../olm/bundle/bundle.ts';
import type { ScorecardConfiguration, TestConfiguration } from '../../olm/scorecard/configuration.ts';
import { isBuiltIn, runBuiltIn } from '../../olm/scorecard/run-built-in.ts';
import { runScorecard } from '../../olm/scorecard/run-scorecard.ts';
import type { ScoredTest, TestResult } from '../../olm/scorecard/test-list.ts';
import { modulePath } from './module-file.ts';
import type { ScorecardOptions } from './scorecard-options.ts';

/** The tests to run, and what they are about. */
export interface TestRun {
  readonly configuration: ScorecardConfiguration;
  readonly isSelected: (test: TestConfiguration) => boolean;
  readonly bundle: Bundle;
  /** Of the bundle, absolute. */
  readonly directory: string;
  /** Where the command runs, absolute. */
  readonly cwd: string;
  /** How long they may take, in milliseconds. */
  readonly waitMs: number;
}

/**
 * Runs the selected tests. Processes and clusters that they needed are gone when it ends.
 *
 * @throws InterruptedError after a signal
 * @throws OtsError `NOT_LOCAL`, `CANCELED`, or without a usable kubeconfig, if custom tests should use a cluster of the user
 */
export async function runTests(
  run: TestRun,
  options: ScorecardOptions,
  context: Context,
): Promise<ScoredTest[]> {
  const { configuration, isSelected, bundle, waitMs } = run;
  const isCustom = configuration.stages
    .flatMap(({ tests }) => tests.filter(isSelected))
    .some((test) => modulePath(test) !== undefined);
  // What custom tests need takes a while to load.
  const customTests = isCustom
    ? await (await import('./custom-tests.ts')).customTests(run, options, context)
    : undefined;
  const abort = new AbortController();
  // Every test of a parallel stage listens.
  setMaxListeners(0, abort.signal);
  const late = new Error(`the test did not end within the ${options.waitTime} of --wait-time`);
  const timer = setTimeout(() => abort.abort(late), waitMs);
  const runTest = async (test: TestConfiguration): Promise<readonly TestResult[]> => {
    const name = modulePath(test);
    if (name !== undefined && customTests) return customTests.run(test, name, abort.signal);
    return isBuiltIn(test) ? runBuiltIn(test, bundle) : [refused(test)];
  };
  try {
    const scored = runScorecard(configuration, { isSelected, run: runTest, signal: abort.signal });
    const interrupted = isCustom ? context.untilSignal() : new Promise<never>(() => {});
    const end = await Promise.race([scored, interrupted]);
    if (typeof end === 'string') throw new InterruptedError(end);
    return end;
  } finally {
    clearTimeout(timer);
    abort.abort(late);
    await customTests?.stop();
  }
}

function refused({ image }: TestConfiguration): TestResult {
  return {
    name: '',
    state: 'error',
    errors: [`ots does not run container images: ${image === '' ? 'the test names none' : image}`],
    suggestions: [
      'Leave the test out with --selector, run it with operator-sdk scorecard, or write it as a TypeScript module',
    ],
    log: '',
  };
}

/** Runs custom tests. */
export interface CustomTests {
  run(test: TestConfiguration, name: string, signal: AbortSignal): Promise<TestResult[]>;
  /** Stops the clusters that tests needed. */
  stop(): Promise<void>;
}
