import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { parseDuration } from 'ots-apimachinery/duration';
import { labelMatcher } from 'ots-apimachinery/selectors/label-matcher';
import { parseLabelSelector } from 'ots-apimachinery/selectors/parse-label-selector';
import { OtsError } from '../../errors/ots-error.ts';
import { UsageError } from '../../errors/usage-error.ts';
import type { Bundle } from '../../olm/bundle/bundle.ts';
import {
  type ScorecardConfiguration,
  type TestConfiguration,
  readConfiguration,
} from '../../olm/scorecard/configuration.ts';
import { quoted } from '../../project/names/quoted.ts';
import type { ClusterOptions } from '../shared/cluster-options.ts';

/** The flags of `ots scorecard`. */
export interface ScorecardOptions extends ClusterOptions {
  directory?: string;
  config?: string;
  selector?: string;
  list?: boolean;
  output: string;
  waitTime: string;
}

/** @throws OtsError `INVALID_OUTPUT`, UsageError `OUTPUT_FORMAT` */
export function checkOutput({ output, json }: ScorecardOptions): void {
  if (!['text', 'json', 'xunit'].includes(output))
    throw new OtsError('INVALID_OUTPUT', `${quoted(output)} is not a format of --output`, {
      hint: 'Use text, json or xunit.',
    });
  if (output === 'xunit' && json)
    throw new UsageError('OUTPUT_FORMAT', '--json and --output xunit exclude each other', {
      hint: 'Leave one of them out.',
    });
}

/**
 * Which tests the flag `--selector` chooses: without it, all.
 *
 * @throws OtsError `INVALID_SELECTOR`
 */
export function selectorOf({ selector = '' }: ScorecardOptions): (test: TestConfiguration) => boolean {
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

/**
 * How long the tests may take.
 *
 * @throws OtsError `INVALID_DURATION`
 */
export function waitMilliseconds({ waitTime: text }: ScorecardOptions): number {
  const duration = parseDuration(text);
  if (typeof duration === 'bigint' && duration > 0n)
    return Math.min(Math.ceil(Number(duration) / 1e6), maxTimerMs);
  throw new OtsError('INVALID_DURATION', `--wait-time ${quoted(text)} is not a duration`, {
    hint: 'Write it like 30s, 5m or 1h30m.',
  });
}

const mediaTypeLabel = 'operators.operatorframework.io.test.mediatype.v1';
const configLabel = 'operators.operatorframework.io.test.config.v1';
const maxConfigBytes = 16 * 2 ** 20;

/**
 * Reads `--config`, or config.yaml in the directory that the annotations of the bundle name, or in tests/scorecard/.
 *
 * @throws OtsError `NO_CONFIGURATION`, `INVALID_CONFIGURATION`
 */
export async function configurationOf(
  { config, directory: shown = '' }: ScorecardOptions,
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
