import { resolve } from 'node:path';
import type { TorturePlan } from 'ots-testing';
import type { Context } from '../../context.ts';
import { OtsError } from '../../errors/ots-error.ts';
import { UsageError } from '../../errors/usage-error.ts';
import { oneLine } from '../../output/one-line.ts';
import { quoted } from '../../project/names/quoted.ts';
import { isData } from '../../project/yaml/data.ts';
import { diskFileSystem } from '../../scaffold/file-system.ts';
import type { Sample } from '../../torture/torture-result.ts';
import { workingDirectory } from '../shared/report-options.ts';
import { lastFinding } from './last-report.ts';
import type { TortureCommandOptions } from './torture-options.ts';

/** A plan to try again. */
export interface ReplayedPlan {
  readonly sample: Sample;
  readonly plan: TorturePlan;
  /** That of the run that found it; undefined if it is not known. */
  readonly seed: number | undefined;
}

/**
 * Reads what `--replay` names: JSON, a finding of the last run, or a file with JSON.
 *
 * @param root absolute path of the project
 * @param samples those that the command line names
 * @throws UsageError `NO_SAMPLE` if a plan alone does not say which of several samples it is for
 * @throws OtsError `INVALID_PLAN`, and the errors of {@link lastFinding}
 */
export async function replayedPlan(
  text: string,
  root: string,
  samples: readonly Sample[],
  options: TortureCommandOptions,
  context: Context,
): Promise<ReplayedPlan> {
  const json = text.trimStart().startsWith('{') ? text : fileText(text, options, context);
  if (json !== undefined) return { sample: onlySample(samples), plan: planIn(json), seed: undefined };
  const isChosen = ({ file, kind }: Sample): boolean =>
    samples.some((sample) => sample.file === file && sample.kind === kind);
  const { sample, finding, seed } = await lastFinding(root, text, isChosen);
  return { sample, plan: finding.plan, seed };
}

/** Undefined if there is no such file. */
function fileText(name: string, options: TortureCommandOptions, context: Context): string | undefined {
  const fs = context.fs ?? diskFileSystem;
  const path = resolve(workingDirectory(options, context), name);
  return fs.kind(path) === 'file' ? fs.read(path)?.toString('utf8') : undefined;
}

function onlySample(samples: readonly Sample[]): Sample {
  const [only, ...others] = samples;
  if (only && others.length === 0) return only;
  const files = samples.map(({ file }) => oneLine(file)).join(', ');
  throw new UsageError('NO_SAMPLE', 'The sample that the plan is for is missing', {
    hint: `Name it: ${files}.`,
  });
}

/** A plan, or a finding that has one. */
function planIn(json: string): TorturePlan {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    throw invalid(`it is not JSON: ${error instanceof Error ? error.message : String(error)}`, error);
  }
  const plan = isData(value) && 'plan' in value ? value['plan'] : value;
  if (isData(plan) && typeof plan['phase'] === 'string') return plan as unknown as TorturePlan;
  throw invalid(`it has no phase: ${quoted(json.slice(0, 60))}`);
}

function invalid(problem: string, cause?: unknown): OtsError {
  return new OtsError('INVALID_PLAN', `The plan of --replay cannot be used: ${oneLine(problem)}`, {
    hint: 'Copy it from the output of ots torture --json, or name a finding of the last run.',
    cause,
  });
}
