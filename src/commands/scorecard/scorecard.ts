import { readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { parseDuration } from 'ots-apimachinery/duration';
import { labelMatcher } from 'ots-apimachinery/selectors/label-matcher';
import { parseLabelSelector } from 'ots-apimachinery/selectors/parse-label-selector';
import type { CommonOptions } from '../../common-options.ts';
import type { Context } from '../../context.ts';
import { OtsError } from '../../errors/ots-error.ts';
import { ProgramEndedError } from '../../errors/program-ended-error.ts';
import { UsageError } from '../../errors/usage-error.ts';
import type { Bundle } from '../../olm/bundle/bundle.ts';
import { readBundle } from '../../olm/bundle/read-bundle.ts';
import {
  type ScorecardConfiguration,
  type TestConfiguration,
  readConfiguration,
} from '../../olm/scorecard/configuration.ts';
import { isBuiltIn, runBuiltIn } from '../../olm/scorecard/run-built-in.ts';
import { runScorecard, selectedTests } from '../../olm/scorecard/run-scorecard.ts';
import { type ScoredTest, type TestResult, testListDocument } from '../../olm/scorecard/test-list.ts';
import { textOfTest } from '../../olm/scorecard/write-text.ts';
import { xunitOf } from '../../olm/scorecard/write-xunit.ts';
import { quoted } from '../../project/names/quoted.ts';
import { workingDirectory } from '../shared/report-options.ts';

/** The flags of `ots scorecard`. */
export interface ScorecardCommandOptions extends CommonOptions {
  directory?: string;
  config?: string;
  selector?: string;
  list?: boolean;
  output: string;
  waitTime: string;
}

/**
 * `ots scorecard`: runs the tests of a bundle, and prints their results.
 *
 * @throws UsageError `NO_BUNDLE` without a directory, `OUTPUT_FORMAT` if two flags choose the output
 * @throws OtsError `NOT_A_BUNDLE`, `NO_CONFIGURATION`, `INVALID_CONFIGURATION`, `INVALID_OUTPUT`, `INVALID_SELECTOR`, `INVALID_DURATION`
 * @throws ProgramEndedError if a test does not pass
 */
export async function scorecard(options: ScorecardCommandOptions, context: Context): Promise<void> {
  checkOutput(options);
  const isSelected = selectorOf(options);
  const waitMs = milliseconds(options.waitTime);
  const cwd = workingDirectory(options, context);
  const directory = await directoryOf(options, cwd);
  const bundle = await readBundle(directory);
  const configuration = await configurationOf(options, bundle, directory, cwd);
  const tests =
    options.list || options.dryRun
      ? selectedTests(configuration, isSelected)
      : await runScorecard(configuration, {
          isSelected,
          run: (test) => Promise.resolve(runTest(test, bundle)),
          signal: deadline(waitMs, options.waitTime),
        });
  print(tests, options, context);
  const isPassed = tests.every(({ results }) => results.every(({ state }) => state === 'pass'));
  if (!isPassed) throw new ProgramEndedError(1);
}

function runTest(test: TestConfiguration, bundle: Bundle): TestResult[] {
  if (isBuiltIn(test)) return runBuiltIn(test, bundle);
  return [refused(test)];
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

/** A timer that does not keep the process. */
function deadline(waitMs: number, waitTime: string): AbortSignal {
  const controller = new AbortController();
  const reason = new Error(`the test did not end within the ${waitTime} of --wait-time`);
  setTimeout(() => controller.abort(reason), waitMs).unref();
  return controller.signal;
}

function print(
  tests: readonly ScoredTest[],
  { json, output, quiet }: ScorecardCommandOptions,
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

function checkOutput({ output, json }: ScorecardCommandOptions): void {
  if (!['text', 'json', 'xunit'].includes(output))
    throw new OtsError('INVALID_OUTPUT', `${quoted(output)} is not a format of --output`, {
      hint: 'Use text, json or xunit.',
    });
  if (output === 'xunit' && json)
    throw new UsageError('OUTPUT_FORMAT', '--json and --output xunit exclude each other', {
      hint: 'Leave one of them out.',
    });
}

function selectorOf({ selector = '' }: ScorecardCommandOptions): (test: TestConfiguration) => boolean {
  if (selector.trim() === '') return () => true;
  try {
    const matches = labelMatcher(parseLabelSelector(selector));
    return ({ labels }) => matches(labels);
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new OtsError('INVALID_SELECTOR', `${quoted(selector)} is not a label selector: ${cause.message}`, {
      hint: 'Write a selector such as suite=olm, or test in (a, b).',
      cause,
    });
  }
}

/** The longest time of a timer of Node, in milliseconds: 24 days. */
const maxTimerMs = 2 ** 31 - 1;

function milliseconds(text: string): number {
  const duration = parseDuration(text);
  if (typeof duration === 'bigint' && duration > 0n)
    return Math.min(Math.ceil(Number(duration) / 1e6), maxTimerMs);
  throw new OtsError('INVALID_DURATION', `--wait-time ${quoted(text)} is not a duration`, {
    hint: 'Write it like 30s, 5m or 1h30m.',
  });
}

/** @returns an absolute path */
async function directoryOf({ directory }: ScorecardCommandOptions, cwd: string): Promise<string> {
  if (directory === undefined)
    throw new UsageError('NO_BUNDLE', 'The directory of the bundle is missing', {
      hint: 'Name it, such as ots scorecard bundle.',
    });
  const absolute = path.resolve(cwd, directory);
  const info = await stat(absolute).catch(() => undefined);
  if (info?.isDirectory()) return realpath(absolute);
  throw new OtsError(
    'NOT_A_BUNDLE',
    `${quoted(directory)} ${info ? 'is not a directory' : 'does not exist'}`,
    { hint: 'Name the directory that has the manifests/, metadata/ and tests/scorecard/ of the bundle.' },
  );
}

const mediaTypeLabel = 'operators.operatorframework.io.test.mediatype.v1';
const configLabel = 'operators.operatorframework.io.test.config.v1';
const maxConfigBytes = 16 * 2 ** 20;

/** `--config`, or config.yaml in the directory that the annotations of the bundle name, or in tests/scorecard/. */
async function configurationOf(
  { config, directory: shown = '' }: ScorecardCommandOptions,
  { annotations }: Bundle,
  directory: string,
  cwd: string,
): Promise<ScorecardConfiguration> {
  const stated =
    annotations?.values[mediaTypeLabel] === 'scorecard+v1' ? annotations.values[configLabel] : undefined;
  const inBundle = path.join(stated ?? 'tests/scorecard', 'config.yaml');
  const name = config ?? path.join(shown, inBundle);
  const file = config === undefined ? path.join(directory, inBundle) : path.resolve(cwd, config);
  if (config === undefined && !file.startsWith(`${directory}${path.sep}`))
    throw new OtsError('NO_CONFIGURATION', `The annotation ${configLabel} leads out of the bundle`, {
      hint: 'Write a directory of the bundle, such as tests/scorecard/.',
    });
  const text = await readText(file, name);
  try {
    return readConfiguration(text);
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new OtsError(
      'INVALID_CONFIGURATION',
      `${quoted(name)} is not a configuration of the scorecard: ${cause.message}`,
      {
        hint: 'See docs/olm.md for its form.',
        cause,
      },
    );
  }
}

async function readText(file: string, name: string): Promise<string> {
  const info = await stat(file).catch(() => undefined);
  const problem = !info
    ? 'does not exist'
    : !info.isFile()
      ? 'is not a file'
      : info.size > maxConfigBytes
        ? `is larger than ${maxConfigBytes / 2 ** 20} MiB`
        : undefined;
  if (problem === undefined) return readFile(file, 'utf8');
  throw new OtsError('NO_CONFIGURATION', `${quoted(name)} ${problem}`, {
    hint: 'Name the configuration of the scorecard with --config, or add tests/scorecard/config.yaml to the bundle.',
  });
}
