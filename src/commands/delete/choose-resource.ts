import type { CommonOptions } from '../../common-options.ts';
import type { Context } from '../../context.ts';
import { UsageError } from '../../errors/usage-error.ts';
import { refuse } from '../../project/names/refuse.ts';
import type { ResourceName } from '../../project/names/suggest-resource.ts';
import type { Resource } from '../../project/project.ts';
import { ProjectFile } from '../../project/project-file.ts';
import { chooseOne } from '../../prompts/choose.ts';
import { projectFile } from '../../scaffold/project-root.ts';
import { Tree } from '../../scaffold/tree.ts';
import { projectRoot } from '../shared/in-project.ts';

export interface ResourceOptions extends CommonOptions {
  group?: string;
  version?: string;
  kind?: string;
}

/**
 * Group, version and kind from the flags. At a terminal, the user chooses among those of the project that agree with the flags.
 *
 * @param isCandidate whether the command can do something about a resource
 * @throws UsageError `MISSING_FLAG` without a terminal, OtsError `NOTHING_TO_DELETE`, `CANCELED`
 */
export async function chooseResource(
  options: ResourceOptions,
  context: Context,
  isCandidate: (resource: Resource) => boolean,
): Promise<ResourceName> {
  const { group, version, kind } = options;
  const root = projectRoot(options, context);
  if (group !== undefined && version !== undefined && kind !== undefined) return { group, version, kind };
  if (!context.interactive) throw missingFlag(options);
  const tree = new Tree(root, context.fs ? { fs: context.fs } : {});
  const { project } = ProjectFile.parse(tree.read(projectFile) ?? '');
  const candidates = project.resources.filter(
    (resource) =>
      isCandidate(resource) &&
      resource.group === (group ?? resource.group) &&
      resource.version === (version ?? resource.version) &&
      resource.kind === (kind ?? resource.kind),
  );
  if (candidates.length === 0) {
    refuse(
      'NOTHING_TO_DELETE',
      'The project has nothing of that name to delete',
      'Omit the flags to choose.',
    );
  }
  const choices = candidates.map((resource, index) => ({
    value: String(index),
    label: `${resource.kind} (${resource.group}/${resource.version})`,
  }));
  const answer = await chooseOne('Which one?', choices, context);
  return candidates[Number(answer)] as Resource;
}

function missingFlag({ group, version }: ResourceOptions): UsageError {
  const flag = group === undefined ? '--group' : version === undefined ? '--version' : '--kind';
  const examples = { '--group': 'batch', '--version': 'v1', '--kind': 'JobWatcher' };
  return new UsageError('MISSING_FLAG', `${flag} is missing`, {
    hint: `Add it, for example ${flag} ${examples[flag]}.`,
  });
}
