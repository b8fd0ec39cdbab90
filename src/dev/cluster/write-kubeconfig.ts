import { basename, dirname, join } from 'node:path';
import { isMap, isSeq, parseDocument } from 'yaml';
import { OtsError } from '../../errors/ots-error.ts';
import { oneLine } from '../../output/one-line.ts';
import type { FileSystem } from '../../scaffold/file-system.ts';

/** The contexts of a kubeconfig that ots wrote: that of the administrator, and those of users. */
const ownContext = /^(?:.*@)?ots-apiserver$/s;

/**
 * Checks that ots can write a kubeconfig: to a new file, or over one from an earlier ots apiserver.
 *
 * @returns the path of the file itself, with symbolic links resolved
 * @throws {OtsError} if the file is the user's, or its directory does not exist
 */
export function checkKubeconfig(path: string, fs: FileSystem): string {
  // A file replaces a link to a kubeconfig that was removed.
  if (fs.mode(path) === undefined) {
    const directory = dirname(path);
    if (fs.kind(directory) === undefined) {
      throw new OtsError('NO_DIRECTORY', `The directory ${oneLine(directory)} does not exist`, {
        hint: 'Create it, or choose another file with --kubeconfig.',
      });
    }
    return path;
  }
  const target = fs.realPath(path);
  const content = fs.kind(target) === 'file' ? fs.read(target) : undefined;
  if (content !== undefined && (content.length === 0 || isOwn(content.toString('utf8')))) return target;
  throw new OtsError('KUBECONFIG_IN_USE', `${oneLine(path)} exists, and ots apiserver did not write it`, {
    hint: 'Choose another file with --kubeconfig.',
  });
}

/** Writes a file that only its owner can read, atomically: readers see the old content or the new content. */
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
 * Removes the kubeconfig that this command wrote.
 *
 * @param text the content from {@link writeKubeconfig}; a file with other content stays
 */
export function removeKubeconfig(path: string, text: string, fs: FileSystem): void {
  if (fs.read(path)?.equals(Buffer.from(text))) fs.removeFile(path);
}

/** Whether ots wrote all contexts of a kubeconfig. */
function isOwn(text: string): boolean {
  const contexts = parseDocument(text).get('contexts');
  return (
    isSeq(contexts) &&
    contexts.items.length > 0 &&
    contexts.items.every((context) => isMap(context) && ownContext.test(String(context.get('name'))))
  );
}
