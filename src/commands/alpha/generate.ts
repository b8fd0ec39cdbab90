import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import type { CommonOptions } from '../../common-options.ts';
import type { Context } from '../../context.ts';
import { OtsError } from '../../errors/ots-error.ts';
import { stageProject } from '../../layouts/typescript/stage-project.ts';
import { stageRecord } from '../../layouts/typescript/unedited-project.ts';
import { reportPlan } from '../../output/report-plan.ts';
import { quoted } from '../../project/names/quoted.ts';
import { ProjectFile } from '../../project/project-file.ts';
import { execute } from '../../scaffold/execute.ts';
import { type FileSystem, diskFileSystem } from '../../scaffold/file-system.ts';
import { projectFile } from '../../scaffold/project-root.ts';
import { Tree } from '../../scaffold/tree.ts';
import { packageVersion } from '../../version.ts';
import { inNewDirectory } from '../shared/in-new-directory.ts';
import { projectRoot } from '../shared/in-project.ts';
import { reportOptions, workingDirectory } from '../shared/report-options.ts';

export interface AlphaGenerateOptions extends CommonOptions {
  outputDir: string;
  force?: boolean;
}

/**
 * `ots alpha generate`: scaffolds the project again from PROJECT, in another directory.
 *
 * @throws UsageError `NOT_A_DIRECTORY`; OtsError `OVERLAPS_PROJECT`, `NOT_EMPTY`
 */
export async function alphaGenerate(options: AlphaGenerateOptions, context: Context): Promise<void> {
  const fs = context.fs ?? diskFileSystem;
  const root = projectRoot(options, context);
  const directory = resolve(workingDirectory(options, context), options.outputDir);
  checkDirectory(fs, root, directory, options);
  const source = new Tree(root, { fs });
  const file = ProjectFile.parse(source.read(projectFile) ?? '');
  const report = reportOptions(options);
  const force = options.force ?? false;
  const execution = { command: 'alpha generate', root: directory, dryRun: report.dryRun, force, fs };
  const plan = await inNewDirectory(fs, directory, report.dryRun, () =>
    execute(execution, async (tree) => {
      await stageProject(tree, file.project, source);
      file.set('cliVersion', packageVersion);
      tree.generate(projectFile, file.toString());
      stageRecord(tree, tree.scaffolded());
      return {
        notes: [`The files are as ots ${packageVersion} scaffolds them, without the edits of the project.`],
        nextSteps: [`cd ${relative(context.cwd, directory)}`, 'npm install', 'npm test'],
      };
    }),
  );
  await reportPlan(plan, report, context);
}

function checkDirectory(
  fs: FileSystem,
  root: string,
  directory: string,
  { outputDir, force }: AlphaGenerateOptions,
): void {
  const actual = realPath(fs, directory);
  if (isInside(actual, root) || isInside(root, actual)) {
    const where = actual === root ? 'is' : isInside(actual, root) ? 'is in' : 'contains';
    throw new OtsError('OVERLAPS_PROJECT', `${quoted(outputDir, 500)} ${where} the project`, {
      hint: 'Name a directory beside the project, for example --output-dir ../fresh.',
    });
  }
  if (!force && fs.kind(actual) === 'directory' && fs.list(actual).length > 0) {
    throw new OtsError('NOT_EMPTY', `${quoted(outputDir, 500)} is not empty`, {
      hint: 'Name an empty or new directory, or replace files in this one with --force.',
    });
  }
}

function isInside(path: string, parent: string): boolean {
  return `${path}${sep}`.startsWith(`${parent}${sep}`);
}

/** The path without symbolic links, also if its last parts do not exist. */
function realPath(fs: FileSystem, path: string): string {
  try {
    return fs.realPath(path);
  } catch {
    return dirname(path) === path ? path : join(realPath(fs, dirname(path)), basename(path));
  }
}
