import { OtsError } from '../../errors/ots-error.ts';
import type { ProjectFile } from '../../project/project-file.ts';
import { memoryTree } from '../../scaffold/memory-tree.ts';
import { stageMerge } from '../../scaffold/merge/stage-merge.ts';
import { projectFile } from '../../scaffold/project-root.ts';
import { recordFile } from '../../scaffold/scaffold-record.ts';
import type { Tree } from '../../scaffold/tree.ts';
import { packageVersion } from '../../version.ts';
import { isRetired } from './retired-files.ts';
import { headerFile } from './header.ts';
import { keptFiles } from './stage-init.ts';
import { stageManifests } from './stage-manifests.ts';
import { stageProject } from './stage-project.ts';
import { stageRecord } from './unedited-project.ts';

/** The unedited files that an update begins with. */
export type UpdateBase =
  /** The record of the scaffold. */
  | { readonly recorded: ReadonlyMap<string, Buffer> }
  /** Files of the project at a time when nothing was edited, which may also be files of the author. */
  | { readonly committed: ReadonlyMap<string, Buffer> };

/** The outcome of an update. */
export interface StagedUpdate {
  /** The files with conflict markers. */
  readonly conflicts: readonly string[];
  readonly notes: readonly string[];
}

/** The packages of ots in the vendor/ folder of a project, of any version. */
const ownPackage = /^vendor\/ots(?:-[a-z]+)?-\d[^/]*\.tgz$/;

/**
 * Stages what brings a project to this version of ots: its edits merged with what changed in the scaffold, the packages, PROJECT, the record
 * and the generated manifests.
 *
 * @param tree the project
 * @param file PROJECT
 */
export async function stageUpdate(tree: Tree, file: ProjectFile, start: UpdateBase): Promise<StagedUpdate> {
  const base = 'recorded' in start ? start.recorded : start.committed;
  const theirs = memoryTree();
  await stageProject(theirs, file.project, sourcesOf(tree, base));
  const scaffold = theirs.scaffolded();
  const merged = stageMerge(
    tree,
    { base: 'recorded' in start ? base : scaffoldedOf(base, scaffold), theirs: scaffold },
    {
      labels: { ours: 'yours', theirs: `ots ${packageVersion}` },
      isKept: (path) => keptFiles.has(path),
    },
  );
  replacePackages(tree, theirs);
  file.set('cliVersion', packageVersion);
  tree.generate(projectFile, file.toString());
  for (const path of merged.kept) scaffold.delete(path);
  const { conflicts } = merged;
  const notes = [...merged.notes, ...(await generateAgain(tree, file, conflicts))];
  stageRecord(tree, scaffold, usable(tree.read(recordFile), start));
  return { conflicts, notes };
}

/** The files that tell what PROJECT does not, such as the header of sources: unedited ones, or else those of the author. */
function sourcesOf(tree: Tree, base: ReadonlyMap<string, Buffer>): Tree {
  const paths = [headerFile, ...tree.list('src'), ...tree.list('config/rbac')];
  const own = paths.flatMap((path) => {
    const content = tree.readBytes(path);
    return content ? [[path, content] as const] : [];
  });
  return memoryTree(new Map([...own, ...base]));
}

/** Without the files of the author, which an update must not remove. */
function scaffoldedOf(
  files: ReadonlyMap<string, Buffer>,
  scaffold: ReadonlyMap<string, Buffer>,
): Map<string, Buffer> {
  return new Map([...files].filter(([path]) => scaffold.has(path) || isRetired(path)));
}

function replacePackages(tree: Tree, theirs: Tree): void {
  for (const path of tree.list('vendor')) if (ownPackage.test(path)) tree.remove(path);
  for (const { path, after } of theirs.changes())
    if (path.startsWith('vendor/') && after) tree.generate(path, after);
}

/** @returns notes about manifests that stay */
async function generateAgain(
  tree: Tree,
  { project }: ProjectFile,
  conflicts: readonly string[],
): Promise<string[]> {
  if (conflicts.some((path) => path.startsWith('src/')))
    return ['The generated manifests stay unchanged, as the sources have conflicts.'];
  try {
    await stageManifests(tree, project);
    return [];
  } catch (error) {
    if (!(error instanceof OtsError) || error.code !== 'INVALID_SOURCES') throw error;
    const [what] = error.message.split(/:?\n/);
    return [`The generated manifests stay unchanged: ${what}. Run npm run manifests to see more.`];
  }
}

/** The record whose lines may stay. One that an update does not begin with may be broken. */
function usable(record: string | undefined, start: UpdateBase): string | undefined {
  return 'recorded' in start ? record : undefined;
}
