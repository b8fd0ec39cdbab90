import { apiGroup } from '../../project/names/api-group.ts';
import { kebabCase } from '../../project/names/kebab-case.ts';
import type { Project, Resource } from '../../project/project.ts';

/** A resource as layouts need it: scope and plural are known even where PROJECT does not hold them. */
export type ScaffoldResource = Pick<
  Resource,
  'group' | 'domain' | 'version' | 'kind' | 'plural' | 'path' | 'core' | 'external'
> & { readonly scope: 'Namespaced' | 'Cluster' };

/** What templates of a resource may name beside the variables of the project. */
export function resourceVariables(project: Project, resource: ScaffoldResource) {
  const { group, version, kind, plural, core, external, scope } = resource;
  const qualifiedGroup = apiGroup(resource);
  const kindKebab = kebabCase(kind);
  return {
    group,
    version,
    kind,
    plural,
    core,
    external,
    scope,
    scopeNamespaced: scope === 'Namespaced',
    kindLower: kind.toLowerCase(),
    kindKebab,
    qualifiedGroup,
    // RBAC tags have a word for the core group, whose name is empty.
    rbacGroup: qualifiedGroup || 'core',
    apiVersion: qualifiedGroup === '' ? version : `${qualifiedGroup}/${version}`,
    resourceFile: project.multigroup ? `${group}-${kindKebab}` : kindKebab,
  };
}
