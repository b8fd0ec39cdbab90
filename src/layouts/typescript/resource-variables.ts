import { apiGroup } from '../../project/names/api-group.ts';
import { kebabCase } from '../../project/names/kebab-case.ts';
import type { Project, Resource } from '../../project/project.ts';

/**
 * A resource with the properties that layouts need, including the scope and plural even if PROJECT does not
 * record them.
 */
export type ScaffoldResource = Pick<
  Resource,
  'group' | 'domain' | 'version' | 'kind' | 'plural' | 'path' | 'core' | 'external'
> & { readonly scope: 'Namespaced' | 'Cluster' };

/** Returns the variables that templates of a resource can use besides the project's variables. */
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
    // RBAC tags write `core` for the core group, whose name is empty.
    rbacGroup: qualifiedGroup || 'core',
    apiVersion: qualifiedGroup === '' ? version : `${qualifiedGroup}/${version}`,
    resourceFile: project.multigroup ? `${group}-${kindKebab}` : kindKebab,
  };
}
