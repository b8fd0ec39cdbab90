import { join } from 'node:path';
import { CustomResourceDefinition } from 'ots-kubernetes/apiextensions/v1';
import type { DeepReadonly } from 'ots-runtime';
import type { Context } from '../../context.ts';
import type { Cluster } from '../../deploy/cluster.ts';
import { OtsError } from '../../errors/ots-error.ts';
import { UsageError } from '../../errors/usage-error.ts';
import { apiGroup } from '../../project/names/api-group.ts';
import { quoted } from '../../project/names/quoted.ts';
import { ProjectFile } from '../../project/project-file.ts';
import { diskFileSystem } from '../../scaffold/file-system.ts';
import { findProjectRoot, projectFile } from '../../scaffold/project-root.ts';
import { workingDirectory } from '../shared/report-options.ts';
import type { MigrateStorageOptions } from './migrate-storage.ts';

/**
 * What the command line names: CRDs or kinds. Without names, those of the project, or with `--all` none.
 *
 * @throws UsageError `NO_CRD` if it names nothing, `CRD_AND_ALL`; OtsError `NO_CRDS` if the project has no CRDs
 */
export function namesOf(options: MigrateStorageOptions, context: Context): readonly string[] {
  const { crd: names = [], all } = options;
  if (all && names.length > 0)
    throw new UsageError('CRD_AND_ALL', '--all and the names of CRDs exclude each other', {
      hint: 'Leave out one of them.',
    });
  return all || names.length > 0 ? names : namesOfProject(options, context);
}

function namesOfProject(options: MigrateStorageOptions, context: Context): readonly string[] {
  const fs = context.fs ?? diskFileSystem;
  let root: string;
  try {
    root = findProjectRoot(fs, workingDirectory(options, context));
  } catch (error) {
    if (!(error instanceof OtsError) || error.code !== 'NO_PROJECT') throw error;
    throw new UsageError('NO_CRD', 'The name of a CRD is missing', {
      hint: 'Name CRDs, such as ots migrate-storage jobs.example.com, use --all, or run the command in a project.',
      cause: error,
    });
  }
  const { project } = ProjectFile.parse(fs.read(join(root, projectFile))?.toString('utf8') ?? '');
  const names = project.resources.flatMap((resource) =>
    resource.api ? [`${resource.plural}.${apiGroup(resource)}`] : [],
  );
  if (names.length > 0) return [...new Set(names)];
  throw new OtsError('NO_CRDS', 'The project has no CRDs', {
    hint: 'Name those of others, such as ots migrate-storage jobs.example.com, or use --all.',
  });
}

/**
 * Finds the definitions in the cluster.
 *
 * @param names those of definitions, or kinds; all definitions with old versions if empty
 * @throws OtsError `NO_CRD` if the cluster does not have one, `AMBIGUOUS_KIND` if several groups have the kind; ApiError and
 *   ConnectionError (of ots-runtime)
 */
export async function findDefinitions(
  { client, signal }: Cluster,
  names: readonly string[],
): Promise<readonly string[]> {
  // A name needs no right to list.
  if (names.length > 0 && names.every((name) => name.includes('.'))) {
    for (const name of names)
      if (!(await client.get(CustomResourceDefinition, { name }, { signal }))) throw missing(name);
    return names;
  }
  const { items } = await client.list(CustomResourceDefinition, { signal });
  if (names.length === 0)
    return items.filter(({ status }) => (status?.storedVersions ?? []).length > 1).map(nameOf);
  return [...new Set(names.map((name) => nameOf(definitionNamed(name, items))))];
}

type Definition = DeepReadonly<CustomResourceDefinition>;

const nameOf = ({ metadata }: Definition): string => metadata.name ?? '';

function definitionNamed(name: string, all: readonly Definition[]): Definition {
  const lower = name.toLowerCase();
  const found = all.filter(({ metadata, spec: { names: known } }) =>
    [metadata.name, known.kind.toLowerCase(), known.plural, known.singular].includes(lower),
  );
  const [first, ...others] = found;
  if (!first) throw missing(name);
  if (others.length === 0) return first;
  throw new OtsError('AMBIGUOUS_KIND', `${quoted(name)} is ${found.map(nameOf).join(' and ')}`, {
    hint: 'Name one of these CRDs.',
  });
}

function missing(name: string): OtsError {
  return new OtsError('NO_CRD', `The cluster has no CRD ${quoted(name)}`, {
    hint: 'kubectl get crds lists them. Choose another cluster with --context.',
  });
}
