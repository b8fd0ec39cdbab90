import type { CommonOptions } from '../../common-options.ts';
import type { Context } from '../../context.ts';
import { OtsError } from '../../errors/ots-error.ts';
import { type StagedUpdate, stageUpdate } from '../../layouts/typescript/stage-update.ts';
import { jsonReport, reportPlan } from '../../output/report-plan.ts';
import { ProjectFile } from '../../project/project-file.ts';
import { execute } from '../../scaffold/execute.ts';
import { diskFileSystem } from '../../scaffold/file-system.ts';
import type { Plan } from '../../scaffold/plan.ts';
import { projectFile } from '../../scaffold/project-root.ts';
import { needsRecovery } from '../../scaffold/transaction/recover.ts';
import type { Tree } from '../../scaffold/tree.ts';
import { projectRoot } from '../shared/in-project.ts';
import { reportOptions } from '../shared/report-options.ts';
import { checkWorkTree } from './check-work-tree.ts';
import { committedBase, recordedBase } from './update-base.ts';

export interface AlphaUpdateOptions extends CommonOptions {
  /** A git revision. */
  base?: string;
  force?: boolean;
}

/**
 * `ots alpha update`: brings the project to the scaffold of this version and keeps its edits. It writes files with conflicts, too.
 *
 * @throws OtsError `UPDATE_CONFLICTS` after it wrote everything; `NOT_COMMITTED`, and those of the base
 */
export async function alphaUpdate(options: AlphaUpdateOptions, context: Context): Promise<void> {
  const fs = context.fs ?? diskFileSystem;
  const root = projectRoot(options, context);
  const report = reportOptions(options);
  // What an interrupted command left is not committed either. This command completes it.
  const isChecked = !report.dryRun && !options.force && !needsRecovery(fs, root);
  if (isChecked) await checkWorkTree(root, context);
  const committed = options.base === undefined ? undefined : await committedBase(options.base, root, context);
  const execution = { command: 'alpha update', root, dryRun: report.dryRun, force: false, fs };
  let conflicts: readonly string[] = [];
  const plan = await execute(execution, async (tree) => {
    const staged = await stage(tree, committed);
    ({ conflicts } = staged);
    return { notes: staged.notes, nextSteps: nextSteps(tree) };
  });
  if (conflicts.length === 0) return reportPlan(plan, report, context);
  if (!report.json) await reportPlan({ ...plan, nextSteps: [] }, report, context);
  throw unresolved(conflicts, plan, await jsonReport(plan, report));
}

function stage(tree: Tree, committed: ReadonlyMap<string, Buffer> | undefined): Promise<StagedUpdate> {
  const file = ProjectFile.parse(tree.read(projectFile) ?? '');
  return stageUpdate(tree, file, committed ? { committed } : { recorded: recordedBase(tree) });
}

/** npm keeps an installed package of the same version, so it needs the names of packages that changed. */
function nextSteps(tree: Tree): string[] {
  const changes = tree.changes();
  if (changes.length === 0) return [];
  const packages = changes
    .filter(({ path, after }) => path.startsWith('vendor/') && after)
    .map(({ path }) => `./${path}`);
  return [['npm install', ...packages].join(' '), 'npm test'];
}

function unresolved(paths: readonly string[], { nextSteps: steps }: Plan, report: object): OtsError {
  const count = paths.length === 1 ? '1 file has' : `${paths.length} files have`;
  return new OtsError('UPDATE_CONFLICTS', `${count} conflicts: ${paths.join(', ')}`, {
    hint: `Edit what is between <<<<<<< and >>>>>>> in each. Then run ${steps[0]}, npm run manifests and npm test.`,
    details: { conflicts: paths, plan: report },
  });
}
