import { UsageError } from '../../errors/usage-error.ts';
import { quoted } from '../../project/names/quoted.ts';
import type { FileSystem } from '../../scaffold/file-system.ts';
import type { Plan } from '../../scaffold/plan.ts';
import { missingDirectories } from '../../scaffold/safe-path.ts';
import { isDirectory } from './is-directory.ts';

/**
 * Creates the directory of a new project, and removes it again if the command fails.
 *
 * @throws UsageError `NOT_A_DIRECTORY`
 */
export async function inNewDirectory(
  fs: FileSystem,
  directory: string,
  dryRun: boolean,
  run: () => Promise<Plan>,
): Promise<Plan> {
  if (fs.kind(directory) !== undefined && !isDirectory(fs, directory)) {
    throw new UsageError('NOT_A_DIRECTORY', `${quoted(directory, 500)} is not a directory`, {
      hint: 'Name a directory. ots creates it if it does not exist.',
    });
  }
  const missing = dryRun ? [] : missingDirectories(fs, directory);
  for (const path of missing) fs.makeDirectory(path);
  try {
    return await run();
  } catch (error) {
    for (const path of missing.toReversed()) if (fs.list(path).length === 0) fs.removeDirectory(path);
    throw error;
  }
}
