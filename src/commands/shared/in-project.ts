import type { CommonOptions } from '../../common-options.ts';
import type { Context } from '../../context.ts';
import { formatLongLines } from '../../layouts/typescript/format-long-lines.ts';
import { repeatOnRecord } from '../../layouts/typescript/unedited-project.ts';
import { stageManifests } from '../../layouts/typescript/stage-manifests.ts';
import { reportPlan } from '../../output/report-plan.ts';
import { ProjectFile } from '../../project/project-file.ts';
import { type Staged, execute } from '../../scaffold/execute.ts';
import { diskFileSystem } from '../../scaffold/file-system.ts';
import type { Plan } from '../../scaffold/plan.ts';
import { projectFile, findProjectRoot } from '../../scaffold/project-root.ts';
import type { Tree } from '../../scaffold/tree.ts';
import { reportOptions, workingDirectory } from './report-options.ts';

/** The project around the working directory. @throws OtsError `NO_PROJECT` */
export function projectRoot(options: CommonOptions, context: Context): string {
  return findProjectRoot(context.fs ?? diskFileSystem, workingDirectory(options, context));
}

/**
 * Runs a command on the project around the working directory: the command stages its files and changes PROJECT, ots
 * regenerates the manifests, and one transaction writes everything.
 *
 * @param stage asks nothing, as it also runs on the project without the edits of its author, which the record of the scaffold has;
 *   `author` is the project with them
 * @param approve asks the user about the plan before it is written; throws to write nothing
 */
export async function inProject(
  command: string,
  options: CommonOptions & { force?: boolean },
  context: Context,
  stage: (tree: Tree, project: ProjectFile, author: Tree) => Promise<Staged>,
  approve: (plan: Plan) => Promise<void> = async () => {},
): Promise<void> {
  const fs = context.fs ?? diskFileSystem;
  const root = projectRoot(options, context);
  const report = reportOptions(options);
  const execution = { command, root, dryRun: report.dryRun, force: options.force ?? false, fs, approve };
  const plan = await execute(execution, async (tree) => {
    const before = tree.read(projectFile) ?? '';
    const project = ProjectFile.parse(before);
    const staged = await stage(tree, project, tree);
    tree.generate(projectFile, project.toString());
    await stageManifests(tree, project.project);
    await formatLongLines(tree);
    const notes = await repeatOnRecord(tree, before, (unedited) =>
      stage(unedited, ProjectFile.parse(before), tree),
    );
    return { ...staged, notes: [...staged.notes, ...notes] };
  });
  await reportPlan(plan, report, context);
}
