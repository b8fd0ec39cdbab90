import { OtsError } from '../../errors/ots-error.ts';
import { memoryTree } from '../../scaffold/memory-tree.ts';
import { projectFile } from '../../scaffold/project-root.ts';
import { formatRecord, parseRecord, recordFile } from '../../scaffold/scaffold-record.ts';
import type { Tree } from '../../scaffold/tree.ts';
import { formatLongLines } from './format-long-lines.ts';

/**
 * The files of a project as ots scaffolded them, by path: without PROJECT, vendor/ and what ots manifests generates.
 *
 * @returns undefined if an ots made the project that did not record them
 * @throws OtsError `INVALID_SCAFFOLD_RECORD`
 */
export function scaffoldedFiles(tree: Tree): ReadonlyMap<string, Buffer> | undefined {
  const record = tree.read(recordFile);
  return record === undefined ? undefined : parseRecord(record);
}

/** Stages the record of what ots scaffolded. */
export function stageRecord(tree: Tree, files: ReadonlyMap<string, Buffer>, earlier?: string): void {
  tree.generate(recordFile, formatRecord(files, earlier));
}

/**
 * Runs a command a second time, on the project as it would be if its author had edited nothing, and stages what it then contains as the
 * new record. Does nothing if the project has no record. A record that cannot follow does not stop the command.
 *
 * @param tree the project, with its record
 * @param projectText PROJECT before the command
 * @param stage stages the files of the command
 * @returns notes for the user
 */
export async function repeatOnRecord(
  tree: Tree,
  projectText: string,
  stage: (unedited: Tree) => Promise<unknown>,
): Promise<string[]> {
  const record = tree.read(recordFile);
  if (record === undefined) return [];
  try {
    const files = parseRecord(record);
    const own = [projectFile, recordFile];
    const unedited = memoryTree(
      new Map([...files, [projectFile, Buffer.from(projectText)], [recordFile, Buffer.from(record)]]),
    );
    await stage(unedited);
    await formatLongLines(unedited);
    for (const { path, after } of unedited.changes()) {
      if (own.includes(path)) continue;
      if (after) files.set(path, after);
      else files.delete(path);
    }
    stageRecord(tree, files, record);
    return [];
  } catch (error) {
    if (!(error instanceof OtsError)) throw error;
    return [
      `${recordFile} stays unchanged, so ots alpha update will know less: ${error.message}. ${error.hint}`,
    ];
  }
}
