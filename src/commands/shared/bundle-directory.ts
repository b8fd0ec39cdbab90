import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { OtsError } from '../../errors/ots-error.ts';
import { UsageError } from '../../errors/usage-error.ts';
import { quoted } from '../../project/names/quoted.ts';

/** A bundle that the user named. */
export interface NamedBundle {
  /** Its files, as an absolute path. */
  readonly directory: string;
  /** Its image; empty for a bundle that is only a directory. */
  readonly image: string;
}

const looksLikeImage = /^[^/\s]+\.[^/\s]+\/\S+$|^localhost(?::\d+)?\/\S+$|[^/]:[\w.-]+$|@sha256:/;

/**
 * Finds the files of a bundle. This is where the reference of an image becomes a directory.
 *
 * @param bundle as the user typed it
 * @param usage how to name one, for the hint
 * @param cwd an absolute path
 * @throws UsageError `NO_BUNDLE` without a bundle; OtsError `BUNDLE_IMAGE` for an image, `NOT_A_BUNDLE`
 */
export async function bundleDirectory(
  bundle: string | undefined,
  usage: string,
  cwd: string,
): Promise<NamedBundle> {
  if (bundle === undefined)
    throw new UsageError('NO_BUNDLE', 'The directory of the bundle is missing', {
      hint: `Name it, such as ${usage}.`,
    });
  const absolute = path.resolve(cwd, bundle);
  const info = await stat(absolute).catch(() => undefined);
  if (info?.isDirectory()) return { directory: await realpath(absolute), image: '' };
  if (!info && looksLikeImage.test(bundle))
    throw new OtsError('BUNDLE_IMAGE', `${quoted(bundle)} is not a directory, and ots does not pull images`, {
      hint: 'Write the files of the image into a directory, such as with crane export IMAGE - | tar -x -C bundle, and name that.',
    });
  throw new OtsError('NOT_A_BUNDLE', `${quoted(bundle)} ${info ? 'is not a directory' : 'does not exist'}`, {
    hint: 'Name the directory that has the manifests/ and metadata/ of the bundle.',
  });
}
