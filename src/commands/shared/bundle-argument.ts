import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Context } from '../../context.ts';
import { OtsError } from '../../errors/ots-error.ts';
import type { Bundle } from '../../olm/bundle/bundle.ts';
import { bundleOf, readBundle } from '../../olm/bundle/read-bundle.ts';
import { quoted } from '../../project/names/quoted.ts';

/** A registry, a slash and a path; a tag; or a digest. */
const imageLike = /^[^/\s]+\.[^/\s]+\/\S+$|^localhost(?::\d+)?\/\S+$|[^/]:[\w.-]+$|@sha256:/;

/**
 * The bundle that an argument of a command names: a directory, or an image that is pulled into memory.
 *
 * @param cwd where a relative directory starts
 * @throws OtsError `NOT_A_BUNDLE` if it is neither, `INVALID_IMAGE`, `IMAGE_PULL`, `CREDENTIALS`
 */
export async function bundleAt(argument: string, cwd: string, context: Context): Promise<Bundle> {
  const absolute = path.resolve(cwd, argument);
  const info = await stat(absolute).catch(() => undefined);
  if (info?.isDirectory()) return readBundle(await realpath(absolute));
  if (!info && isImage(argument)) return pulled(argument, context);
  throw new OtsError(
    'NOT_A_BUNDLE',
    `${quoted(argument)} ${info ? 'is not a directory' : 'does not exist'}`,
    { hint: 'Name the directory that has the manifests/ and metadata/ of the bundle, or an image.' },
  );
}

/** Whether a text that is not a file looks like the reference of an image. */
export function isImage(argument: string): boolean {
  return imageLike.test(argument) && !/^\.{0,2}\//.test(argument);
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
