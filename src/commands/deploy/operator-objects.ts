import { join } from 'node:path';
import type { UnstructuredObject } from 'ots-runtime';
import type { Context } from '../../context.ts';
import { ApplySet } from '../../deploy/apply-set.ts';
import { type Build, parseObjects } from '../../deploy/kustomize.ts';
import { setImage } from '../../deploy/set-image.ts';
import { OtsError } from '../../errors/ots-error.ts';
import { checkImage } from '../../project/names/check-image.ts';
import { ProjectFile } from '../../project/project-file.ts';
import { diskFileSystem } from '../../scaffold/file-system.ts';
import { projectFile } from '../../scaffold/project-root.ts';
import { isDirectory } from '../shared/is-directory.ts';

const samplesDirectory = 'config/samples';

/** The flag that chooses the image. */
export interface ImageOptions {
  image?: string;
}

/**
 * Builds config/default, with the image of the flag or of `IMG`.
 *
 * @param root of the project
 * @returns YAML
 * @throws OtsError `INVALID_IMAGE`, `NO_MANAGER`, and of the build
 */
export async function buildOperator(
  root: string,
  { image: flag }: ImageOptions,
  { env }: Context,
  build: Build,
): Promise<string> {
  const image = flag ?? (env['IMG'] || undefined);
  if (image !== undefined) checkImage(image);
  const text = await build('config/default', { root, env });
  return image === undefined ? text : setImage(text, image);
}

/** The samples of the project; none if they cannot be built, because nothing depends on them. */
export async function buildSamples(
  root: string,
  { env, fs = diskFileSystem }: Context,
  build: Build,
): Promise<UnstructuredObject[]> {
  if (!isDirectory(fs, join(root, samplesDirectory))) return [];
  try {
    return parseObjects(await build(samplesDirectory, { root, env }));
  } catch (error) {
    if (error instanceof OtsError) return [];
    throw error;
  }
}

/**
 * The record of what the project has in a cluster: beside its Deployment.
 *
 * @param fallback the namespace if the objects name none
 */
export function applySetOf(
  root: string,
  objects: readonly UnstructuredObject[],
  fallback: string,
  { fs = diskFileSystem }: Context,
): ApplySet {
  const { project } = ProjectFile.parse(fs.read(join(root, projectFile))?.toString('utf8') ?? '');
  const deployment = objects.find(({ kind }) => kind === 'Deployment');
  return new ApplySet(`${project.projectName}-applyset`, deployment?.metadata.namespace ?? fallback);
}
