import { basename, dirname, join } from 'node:path';
import { isMap, isSeq, parseDocument } from 'yaml';
import { OtsError } from '../../errors/ots-error.ts';
import { oneLine } from '../../output/one-line.ts';
import type { FileSystem } from '../../scaffold/file-system.ts';

/** The one context of a kubeconfig that ots wrote. */
const OWN_CONTEXT = 'ots-apiserver';

/**
 * Checks that a kubeconfig can be written: to a new file, or over one that an earlier run wrote.
 *
 * @returns the path of the file itself, behind symbolic links
 * @throws {OtsError} when something of the user's is there, or the directory is missing
 */
export function checkKubeconfig(path: string, fs: FileSystem): string {
  // A link whose file an earlier run removed is replaced by a file.
  if (fs.mode(path) === undefined) {
    const directory = dirname(path);
    if (fs.kind(directory) === undefined) {
      throw new OtsError('NO_DIRECTORY', `There is no directory ${oneLine(directory)}.`, {
        hint: 'Make it, or choose another file with --kubeconfig.',
      });
    }
    return path;
  }
  const target = fs.realPath(path);
  const content = fs.kind(target) === 'file' ? fs.read(target) : undefined;
  if (content !== undefined && (content.length === 0 || isOwn(content.toString('utf8')))) return target;
  throw new OtsError('KUBECONFIG_IN_USE', `${oneLine(path)} is not a kubeconfig of ots apiserver.`, {
    hint: 'It stays as it is: choose a file of its own with --kubeconfig.',
  });
}

/** Writes a file that only its owner can read. Whoever reads it sees the old content or the new one. */
export function writeKubeconfig(path: string, text: string, fs: FileSystem): void {
  const temporary = join(dirname(path), `.${basename(path)}.${process.pid}.tmp`);
  try {
    fs.write(temporary, Buffer.from(text), 0o600);
    fs.rename(temporary, path);
  } catch (error) {
    fs.removeFile(temporary);
    throw error;
  }
}

/**
 * Removes the kubeconfig that this run wrote.
 *
 * @param text what {@link writeKubeconfig} wrote; a file that holds anything else belongs to someone else and stays
 */
export function removeKubeconfig(path: string, text: string, fs: FileSystem): void {
  if (fs.read(path)?.equals(Buffer.from(text))) fs.removeFile(path);
}

/** Whether all contexts of a kubeconfig are ours. */
function isOwn(text: string): boolean {
  const contexts = parseDocument(text).get('contexts');
  return (
    isSeq(contexts) &&
    contexts.items.length > 0 &&
    contexts.items.every((context) => isMap(context) && context.get('name') === OWN_CONTEXT)
  );
}
