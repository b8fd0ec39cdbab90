import type { Context } from '../../context.ts';
import { OtsError } from '../../errors/ots-error.ts';
import { type Baseline, readBaseline } from '../../manifests/compat/read-baseline.ts';
import { BaselineError } from '../../manifests/compat/read-schema.ts';
import { crdDir } from '../../manifests/crd/custom-resource-definition.ts';
import { findRevision } from '../shared/git-revision.ts';

/** The definitions of a project at a git revision. */
export interface Baselines {
  /** The full name of the commit. */
  readonly commit: string;
  readonly baselines: readonly Baseline[];
}

/**
 * Reads the CustomResourceDefinitions of a project at a git revision, without touching the working tree.
 *
 * @param root absolute path of the project, which may be in a larger repository
 * @throws OtsError `INVALID_GIT_REF`, `GIT_MISSING`, `NO_REPOSITORY`, `UNKNOWN_GIT_REF`, `NO_CRDS_AT_REF`,
 *   `INVALID_CRD_AT_REF`
 */
export async function baselinesAt(revision: string, root: string, context: Context): Promise<Baselines> {
  const { commit, read: readFiles } = await findRevision(revision, root, context);
  const files = await readFiles(isDefinition);
  const baselines = files.flatMap(({ path, content }) => read(revision, path, content.toString('utf8')));
  if (baselines.length === 0) {
    throw new OtsError('NO_CRDS_AT_REF', `${crdDir} has no CRDs at ${revision}`, {
      hint: 'Name a revision that contains the generated files of this project.',
    });
  }
  return { commit, baselines };
}

function isDefinition(path: string): boolean {
  return path.startsWith(`${crdDir}/`) && /\.ya?ml$/.test(path);
}

function read(revision: string, path: string, text: string): Baseline[] {
  try {
    return readBaseline(path, text);
  } catch (cause) {
    if (!(cause instanceof BaselineError)) throw cause;
    throw new OtsError('INVALID_CRD_AT_REF', `${revision}:${cause.at} ${cause.message}`, {
      hint: 'Name a revision with a valid file.',
      cause,
    });
  }
}
