import { basename, dirname, join } from 'node:path';
import { OtsError } from '../../errors/ots-error.ts';
import { oneLine } from '../../output/one-line.ts';
import type { FileSystem } from '../../scaffold/file-system.ts';
import { isDirectory } from './is-directory.ts';

/**
 * Writes a file, unless it has the content already. Readers see the old content or the new one.
 *
 * @param file an absolute path
 * @param flag the flag that names it, for errors
 * @returns what happened, or would happen in a dry run
 * @throws OtsError `NO_DIRECTORY`, `IS_DIRECTORY`
 */
export function writeFile(
  file: string,
  text: string,
  { dryRun, flag }: { dryRun: boolean; flag: string },
  fs: FileSystem,
): 'create' | 'update' | 'keep' {
  const directory = dirname(file);
  if (!isDirectory(fs, directory))
    throw new OtsError('NO_DIRECTORY', `The directory ${oneLine(directory)} does not exist`, {
      hint: `Create it, or choose another file with ${flag}.`,
    });
  if (isDirectory(fs, file))
    throw new OtsError('IS_DIRECTORY', `${oneLine(file)} is a directory`, {
      hint: `Choose a file with ${flag}.`,
    });
  const content = Buffer.from(text);
  const before = fs.read(file);
  if (before?.equals(content)) return 'keep';
  if (!dryRun) replace(file, content, fs);
  return before ? 'update' : 'create';
}

function replace(file: string, content: Buffer, fs: FileSystem): void {
  const temporary = join(dirname(file), `.${basename(file)}.${process.pid}.tmp`);
  try {
    fs.write(temporary, content, fs.mode(file) ?? 0o644);
    fs.rename(temporary, file);
  } catch (error) {
    fs.removeFile(temporary);
    throw error;
  }
}
