import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Context } from '../../context.ts';
import { OtsError } from '../../errors/ots-error.ts';
import { UsageError } from '../../errors/usage-error.ts';
import type { Bundle } from '../../olm/bundle/bundle.ts';
import { bundleOf, readBundle } from '../../olm/bundle/read-bundle.ts';
import { quoted } from '../../project/names/quoted.ts';

/** A bundle that the user named. */
export interface NamedBundle {
  readonly bundle: Bundle;
  /** Its image; empty for a bundle in a directory. */
  readonly image: string;
}

/** A registry, a slash and a path; a tag; or a digest. */
const imageLike = /^[^/\s]+\.[^/\s]+\/\S+$|^localhost(?::\d+)?\/\S+$|[^/]:[\w.-]+$|@sha256:/;

/**
 * The bundle that an argument of a command names: a directory, or an image that is pulled into memory.
 *
 * @param argument as the user typed it
 * @param usage how to name one, for the hint
 * @param cwd where a relative directory starts
 * @throws UsageError `NO_BUNDLE` without a bundle
 * @throws OtsError `NOT_A_BUNDLE` if it is neither, `INVALID_IMAGE`, `IMAGE_PULL`, `CREDENTIALS`
 */
export async function bundleAt(
  argument: string | undefined,
  usage: string,
  cwd: string,
  context: Context,
): Promise<NamedBundle> {
  if (argument !== undefined && isImage(argument) && !(await exists(path.resolve(cwd, argument))))
    return { bundle: await pulled(argument, context), image: argument };
  return { bundle: await readBundle(await bundleDirectory(argument, usage, cwd)), image: '' };
}

/**
 * The directory of the bundle that an argument names, absolute.
 *
 * @throws UsageError `NO_BUNDLE`, OtsError `NOT_A_BUNDLE`
 */
export async function bundleDirectory(
  argument: string | undefined,
  usage: string,
  cwd: string,
): Promise<string> {
  if (argument === undefined)
    throw new UsageError('NO_BUNDLE', 'The bundle is missing', { hint: `Name it, such as ${usage}.` });
  const absolute = path.resolve(cwd, argument);
  const info = await stat(absolute).catch(() => undefined);
  if (info?.isDirectory()) return realpath(absolute);
  throw new OtsError(
    'NOT_A_BUNDLE',
    `${quoted(argument)} ${info ? 'is not a directory' : 'does not exist'}`,
    { hint: 'Name the directory that has the manifests/ and metadata/ of the bundle.' },
  );
}

/** Whether a text that is not a file looks like the reference of an image. */
export function isImage(argument: string): boolean {
  return imageLike.test(argument) && !/^\.{0,2}\//.test(argument);
}

async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}

async function pulled(argument: string, { env, stderr }: Context): Promise<Bundle> {
  const [{ parseImage }, { RegistryClient }, { pullImage }, { filesOfImage }] = await Promise.all([
    import('../../images/image-reference.ts'),
    import('../../images/registry-client.ts'),
    import('../../images/image-files.ts'),
    import('../../olm/bundle/files-of-image.ts'),
  ]);
  const image = parseImage(argument);
  if (stderr.isTTY) stderr.write(`Pulling ${argument}\n`);
  return bundleOf(filesOfImage(await pullImage(new RegistryClient(env), image)));
}
