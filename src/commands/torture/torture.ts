import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Context } from '../../context.ts';
import { InterruptedError } from '../../errors/interrupted-error.ts';
import { OtsError } from '../../errors/ots-error.ts';
import { ProgramEndedError } from '../../errors/program-ended-error.ts';
import { ProjectFile } from '../../project/project-file.ts';
import { type FileSystem, diskFileSystem } from '../../scaffold/file-system.ts';
import { projectFile } from '../../scaffold/project-root.ts';
import { Tree } from '../../scaffold/tree.ts';
import { Baseline, baselineFile } from '../../torture/baseline.ts';
import type { TortureResult } from '../../torture/torture-result.ts';
import { projectRoot } from '../shared/in-project.ts';
import { writeFile } from '../shared/write-file.ts';
import { keepReports } from './last-report.ts';
import { plannedSearch, reportDryRun } from './planned-search.ts';
import { type OutputFile, outputFiles, printResult } from './print-result.ts';
import { Progress } from './progress.ts';
import type { Patience } from './search-process.ts';
import { type Search, search } from './search.ts';
import type { TortureCommandOptions } from './torture-options.ts';

const defaultPatience: Patience = { silenceMs: 60_000, graceMs: 5000 };

/**
 * `ots torture`: searches for bugs of the operator with its samples, and prints what it found. With `--write-test`, writes a test of a
 * finding of the last run.
 *
 * @param patience for tests: when the process of an operator is killed
 * @throws OtsError `NO_PROJECT`, `NO_OTS_TESTING`, `INVALID_BASELINE`, and those of {@link plannedSearch} and the files to write
 * @throws ProgramEndedError if there are findings that the baseline does not accept, or a search failed
 * @throws InterruptedError after a signal, when it has printed what was found
 */
export async function torture(
  options: TortureCommandOptions,
  context: Context,
  patience = defaultPatience,
): Promise<void> {
  const root = projectRoot(options, context);
  const fs = context.fs ?? diskFileSystem;
  const tree = new Tree(root, { fs });
  const { project } = ProjectFile.parse(tree.read(projectFile) ?? '');
  if (options.writeTest !== undefined) {
    const { writeTest } = await import('./write-test.ts');
    return writeTest(options.writeTest, { tree, project }, options, context);
  }
  const plan = await plannedSearch(tree, project, options, context);
  if (options.dryRun) return reportDryRun(plan, options, context);
  // Who replays a finding wants to see it, also an accepted one.
  const baseline = Baseline.parse(plan.plans ? undefined : tree.read(baselineFile));
  requireTesting(root);
  const files = outputFiles(options, context);
  // What cannot be written should not cost the time of a search.
  for (const { path, flag } of files) writeFile(path, '', { dryRun: true, flag }, fs);
  const { result, signal } = await searched(plan, baseline, { root, patience }, options, context);
  writeFiles(files, result, fs);
  printResult(result, options, context);
  if (!plan.plans) await keepReports(root, result.samples);
  if (signal) throw new InterruptedError(signal);
  if (!isClean(result)) throw new ProgramEndedError(1);
}

/** Searches until the end, or until a signal. */
async function searched(
  plan: Search,
  baseline: Baseline,
  where: { readonly root: string; readonly patience: Patience },
  options: TortureCommandOptions,
  context: Context,
): Promise<{ readonly result: TortureResult; readonly signal: NodeJS.Signals | undefined }> {
  const { env, now } = context;
  const stop = new AbortController();
  let signal: NodeJS.Signals | undefined;
  void context.untilSignal().then((received) => {
    signal = received;
    stop.abort();
  });
  const progress = new Progress(context, options);
  const found = await search(plan, { ...where, env, now, signal: stop.signal }, (sample, state) =>
    progress.update(sample, state),
  );
  progress.end();
  const isComplete = options.full === true && !options.sample?.length && signal === undefined;
  const result = {
    samples: baseline.apply(found.reports),
    failures: found.failures,
    unused: isComplete && found.failures.length === 0 ? baseline.unused(found.reports) : [],
    isInterrupted: signal !== undefined,
  };
  return { result, signal };
}

function writeFiles(files: readonly OutputFile[], result: TortureResult, fs: FileSystem): void {
  for (const { path, flag, text } of files) writeFile(path, text(result), { dryRun: false, flag }, fs);
}

function isClean({ samples, failures }: TortureResult): boolean {
  return failures.length === 0 && samples.every(({ findings }) => findings.length === 0);
}

/**
 * The operator and the search must share one copy of the runtime: that of the project.
 *
 * @throws OtsError `NO_OTS_TESTING`
 */
function requireTesting(root: string): void {
  try {
    createRequire(join(root, 'package.json')).resolve('ots-testing');
  } catch (cause) {
    throw new OtsError('NO_OTS_TESTING', 'ots-testing is not installed in the project', {
      hint: 'Run npm install. If package.json does not list ots-testing, run npm install --save-dev ots-testing.',
      cause,
    });
  }
}
