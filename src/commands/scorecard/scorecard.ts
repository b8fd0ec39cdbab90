import type { Context } from '../../context.ts';
import { ProgramEndedError } from '../../errors/program-ended-error.ts';
import { readBundle } from '../../olm/bundle/read-bundle.ts';
import { selectedTests } from '../../olm/scorecard/run-scorecard.ts';
import { type ScoredTest, testListDocument } from '../../olm/scorecard/test-list.ts';
import { textOfTest } from '../../olm/scorecard/write-text.ts';
import { xunitOf } from '../../olm/scorecard/write-xunit.ts';
import { bundleDirectory } from '../shared/bundle-argument.ts';
import { workingDirectory } from '../shared/report-options.ts';
import { runTests } from './run-tests.ts';
import {
  type ScorecardOptions,
  checkOutput,
  configurationOf,
  selectorOf,
  waitMilliseconds,
} from './scorecard-options.ts';

/**
 * `ots scorecard`: runs the tests of a bundle, and prints their results.
 *
 * @throws UsageError `NO_BUNDLE` without a directory, `OUTPUT_FORMAT` if two flags choose the output
 * @throws OtsError `NOT_A_BUNDLE`, `NO_CONFIGURATION`, `INVALID_CONFIGURATION`, `INVALID_OUTPUT`, `INVALID_SELECTOR`, `INVALID_DURATION`
 * @throws ProgramEndedError if a test does not pass, and the errors of {@link runTests}
 */
export async function scorecard(options: ScorecardOptions, context: Context): Promise<void> {
  checkOutput(options);
  const isSelected = selectorOf(options);
  const waitMs = waitMilliseconds(options);
  const cwd = workingDirectory(options, context);
  const directory = await bundleDirectory(options.directory, 'ots scorecard bundle', cwd);
  const bundle = await readBundle(directory);
  const configuration = await configurationOf(options, bundle, directory, cwd);
  const tests =
    options.list || options.dryRun
      ? selectedTests(configuration, isSelected)
      : await runTests({ configuration, isSelected, bundle, directory, cwd, waitMs }, options, context);
  print(tests, options, context);
  const isPassed = tests.every(({ results }) => results.every(({ state }) => state === 'pass'));
  if (!isPassed) throw new ProgramEndedError(1);
}

function print(
  tests: readonly ScoredTest[],
  { json, output, quiet }: ScorecardOptions,
  { stdout }: Context,
): void {
  if (json || output === 'json') stdout.write(`${JSON.stringify(testListDocument(tests), null, 2)}\n`);
  else if (output === 'xunit') stdout.write(`${xunitOf(tests)}\n`);
  else {
    const isShown = ({ results }: ScoredTest) => !quiet || results.some(({ state }) => state !== 'pass');
    if (tests.length === 0 && !quiet) stdout.write('0 tests selected\n');
    for (const test of tests.filter(isShown)) stdout.write(`${textOfTest(test)}\n`);
  }
}
