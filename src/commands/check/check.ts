import type { CheckResult } from '../../check/finding.ts';
import type { CheckOptions } from '../../check/project-view.ts';
import { runChecks } from '../../check/run-checks.ts';
import type { CommonOptions } from '../../common-options.ts';
import type { Context } from '../../context.ts';
import { ProgramEndedError } from '../../errors/program-ended-error.ts';
import { reportPlan } from '../../output/report-plan.ts';
import { execute } from '../../scaffold/execute.ts';
import { diskFileSystem } from '../../scaffold/file-system.ts';
import type { Plan } from '../../scaffold/plan.ts';
import { Tree } from '../../scaffold/tree.ts';
import { projectRoot } from '../shared/in-project.ts';
import { reportOptions } from '../shared/report-options.ts';
import { chooseFormat, printResult } from './print-result.ts';

/** The flags of `ots check`. */
export interface CheckCommandOptions extends CommonOptions {
  fix?: boolean;
  compat?: string;
  format?: string;
}

/** A repair may uncover something else to repair; a chain is never this long. */
const maxRounds = 4;

/**
 * `ots check`: prints what does not fit together in a project.
 *
 * @throws OtsError `INVALID_FORMAT`, `NO_PROJECT`; with --compat those of reading the revision; with --fix those of the plan
 * @throws ProgramEndedError if there are errors
 */
export async function check(options: CheckCommandOptions, context: Context): Promise<void> {
  const format = chooseFormat(options, context);
  const root = projectRoot(options, context);
  const fs = context.fs ?? diskFileSystem;
  const checkOptions = await checkOptionsOf(options, root, context);
  const plan = options.fix ? await fix(root, options, checkOptions, context) : undefined;
  const isPlanned = plan !== undefined && options.dryRun === true;
  const found = await runChecks(new Tree(root, { fs }), checkOptions);
  // A dry run reports what would be left.
  const result = isPlanned ? { ...found, findings: found.findings.filter((finding) => !finding.fix) } : found;
  const isText = format === 'text' && !options.json;
  if (plan && isText) await reportPlan(plan, reportOptions(options), context);
  printResult({ result, plan, root }, { ...options, format }, context);
  if (hasErrors(result)) throw new ProgramEndedError(1);
}

function hasErrors({ findings }: CheckResult): boolean {
  return findings.some(({ severity }) => severity === 'error');
}

async function checkOptionsOf(
  { compat }: CheckCommandOptions,
  root: string,
  context: Context,
): Promise<CheckOptions> {
  const { env } = context;
  if (compat === undefined) return { env };
  const { baselinesAt } = await import('../manifests/baselines-at.ts');
  const { baselines } = await baselinesAt(compat, root, context);
  return { env, compat: { revision: compat, baselines } };
}

/** Repairs what can be repaired, as one plan. */
function fix(
  root: string,
  options: CheckCommandOptions,
  checkOptions: CheckOptions,
  context: Context,
): Promise<Plan> {
  const fs = context.fs ?? diskFileSystem;
  return execute(
    { command: 'check', root, dryRun: options.dryRun ?? false, force: false, fs },
    async (tree) => {
      for (let round = 0; round < maxRounds; round += 1) {
        const { findings } = await runChecks(tree, checkOptions);
        const fixes = findings.flatMap((finding) => finding.fix ?? []);
        if (fixes.length === 0) break;
        for (const repair of fixes) await repair(tree);
      }
      return { notes: [], nextSteps: [] };
    },
  );
}
