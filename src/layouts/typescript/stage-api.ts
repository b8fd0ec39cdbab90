import type { Project } from '../../project/project.ts';
import type { Tree } from '../../scaffold/tree.ts';
import { addToKustomization } from './add-to-kustomization.ts';
import { kindFile } from './kind-import.ts';
import type { KindTags } from './kind-tags.ts';
import type { VersionCopy } from './copy-version.ts';
import { sampleFile } from './paths.ts';
import { projectVariables } from './project-variables.ts';
import { type ScaffoldResource, resourceVariables } from './resource-variables.ts';
import { stageTemplate, stageTemplates } from './stage-templates.ts';

export interface ApiContent extends KindTags {
  /** Whether this is the first version of its kind, which becomes the storage version. */
  readonly isFirst: boolean;
  /** The types and the sample that the version begins with; undefined for an example. */
  readonly copy?: VersionCopy | undefined;
}

/** Stages the type of a kind, its sample, its roles, and their entries in the kustomizations. */
export function stageApi(
  tree: Tree,
  project: Project,
  resource: ScaffoldResource,
  content: ApiContent,
): void {
  const names = resourceVariables(project, resource);
  const variables = {
    ...projectVariables(project, tree),
    ...names,
    shortNames: content.shortNames,
    categories: content.categories,
    storageVersion: content.isFirst,
  };
  const file = kindFile(project, resource) as string;
  const { copy } = content;
  if (copy) tree.copy(copy.from, file, copy.types);
  else stageTemplate(tree, 'api/types.ts', file, variables);
  const isFirstSample = !tree.exists('config/samples/kustomization.yaml');
  stageTemplates(tree, 'api/config', variables, (path) => path.endsWith('/kustomization.yaml'));
  if (copy?.sample !== undefined) tree.create(sampleFile(resource), copy.sample);
  const { qualifiedGroup, plural, resourceFile, group, version, kindLower } = names;
  addToKustomization(tree, 'config/crd', 'resources', [`bases/${qualifiedGroup}_${plural}.yaml`]);
  addToKustomization(tree, 'config/samples', 'resources', [`${group}_${version}_${kindLower}.yaml`]);
  const roles = ['admin', 'editor', 'viewer'].map((role) => `${resourceFile}-${role}-role.yaml`);
  addToKustomization(tree, 'config/rbac', 'resources', roles);
  addToKustomization(tree, 'config/default', 'resources', ['../crd']);
  if (isFirstSample && tree.exists('config/manifests/kustomization.yaml'))
    addToKustomization(tree, 'config/manifests', 'resources', ['../samples']);
}
