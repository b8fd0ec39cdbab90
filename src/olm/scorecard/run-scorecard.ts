import type { ScorecardConfiguration, TestConfiguration } from './configuration.ts';
import type { ScoredTest, TestResult } from './test-list.ts';

/** Runs one test. A test that cannot run has a result that says so: it must not throw. */
type RunTest = (test: TestConfiguration, signal: AbortSignal) => Promise<readonly TestResult[]>;

/** How the scorecard runs. */
export interface ScorecardOptions {
  readonly isSelected: (test: TestConfiguration) => boolean;
  readonly run: RunTest;
  /** Aborts when no time is left. Its reason says so, as an error. */
  readonly signal: AbortSignal;
}

/** The tests that a selector chooses, without results. */
export function selectedTests(
  { stages }: ScorecardConfiguration,
  isSelected: ScorecardOptions['isSelected'],
): ScoredTest[] {
  return stages.flatMap(({ tests }) => tests.filter(isSelected).map((spec) => ({ spec, results: [] })));
}

/**
 * Runs the selected tests, stage by stage.
 *
 * @returns the results in the order of the configuration. When no time is left, the tests that have not ended fail.
 */
export async function runScorecard(
  { stages }: ScorecardConfiguration,
  { isSelected, run, signal }: ScorecardOptions,
): Promise<ScoredTest[]> {
  const scored: ScoredTest[] = [];
  const ended = whenAborted(signal).then(() => late(signal));
  const score = async (spec: TestConfiguration): Promise<ScoredTest> => ({
    spec,
    results: signal.aborted ? late(signal) : await Promise.race([run(spec, signal), ended]),
  });
  for (const { isParallel, tests } of stages) {
    const selected = tests.filter(isSelected);
    if (isParallel) scored.push(...(await Promise.all(selected.map(score))));
    else for (const test of selected) scored.push(await score(test));
  }
  return scored;
}

function late({ reason }: AbortSignal): TestResult[] {
  const error = reason instanceof Error ? reason.message : String(reason);
  return [{ name: '', state: 'fail', errors: [error], suggestions: [], log: '' }];
}

function whenAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
