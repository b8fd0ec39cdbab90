import { join } from 'node:path';
import type { UnstructuredObject } from 'ots-runtime';
import type { Context } from '../../context.ts';
import type { Build } from '../../deploy/kustomize.ts';
import { OtsError } from '../../errors/ots-error.ts';
import { diskFileSystem } from '../../scaffold/file-system.ts';
import type { ClusterOptions } from '../shared/cluster-options.ts';
import { projectRoot } from '../shared/in-project.ts';
import { isDirectory } from '../shared/is-directory.ts';
import { buildObjects } from '../shared/with-cluster.ts';

const directory = 'config/install';

/**
 * Builds the CRDs of the project, without the webhooks that convert between versions.
 *
 * @throws OtsError `NO_PROJECT`, `NO_CRDS`, and of the build
 */
export async function crdsOf(
  options: ClusterOptions,
  context: Context,
  build: Build,
): Promise<UnstructuredObject[]> {
  const root = projectRoot(options, context);
  if (isDirectory(context.fs ?? diskFileSystem, join(root, directory)))
    return buildObjects(build, directory, root, context);
  throw new OtsError('NO_CRDS', `The project has no ${directory}, because it has no CRDs`, {
    hint: 'Add a kind with ots create api.',
  });
}
