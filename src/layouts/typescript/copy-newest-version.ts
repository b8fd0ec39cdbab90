import { compareVersions } from 'ots-apimachinery/version-priority';
import type { Project, Resource } from '../../project/project.ts';
import type { Tree } from '../../scaffold/tree.ts';
import type { VersionCopy } from './copy-version.ts';
import type { KindTags } from './kind-tags.ts';
import type { ScaffoldResource } from './resource-variables.ts';

/**
 * Copies the version of a kind that clients prefer now.
 *
 * @param resource the new version
 * @param versions the other versions of the kind
 * @returns undefined if there is no other version, or if its file cannot be read
 */
export async function copyNewestVersion(
  tree: Tree,
  project: Project,
  resource: ScaffoldResource,
  versions: readonly Resource[],
  { shortNames, categories }: KindTags,
): Promise<VersionCopy | undefined> {
  const [newest] = versions.toSorted((a, b) => compareVersions(a.version, b.version));
  if (!newest) return undefined;
  const { copyVersion } = await import('./copy-version.ts');
  const tags = [
    ...shortNames.map((name) => `@shortName ${name}`),
    ...categories.map((name) => `@category ${name}`),
  ];
  return copyVersion(tree, project, resource, newest, tags);
}
