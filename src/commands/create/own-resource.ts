import type { ScaffoldResource } from '../../layouts/typescript/resource-variables.ts';
import type { Project } from '../../project/project.ts';
import type { GvkFlags } from './ask-gvk.ts';

/** The resource of that name that the project itself defines. */
export function ownResource(project: Project, gvk: GvkFlags): ScaffoldResource | undefined {
  const found = project.resources.find(
    ({ api, group, version, kind }) =>
      api && group === gvk.group && version === gvk.version && kind === gvk.kind,
  );
  return found?.api && { ...found, scope: found.api.namespaced ? 'Namespaced' : 'Cluster' };
}
