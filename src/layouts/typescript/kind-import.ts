import { kebabCase } from '../../project/names/kebab-case.ts';
import type { Project } from '../../project/project.ts';
import { importPath } from './import-path.ts';
import { externalFile, typeFile } from './paths.ts';
import type { ScaffoldResource } from './resource-variables.ts';

/**
 * Returns the project file that declares the kind of a resource, or undefined if the kind comes from a
 * package.
 */
export function kindFile(project: Project, resource: ScaffoldResource): string | undefined {
  const location = { ...resource, kindKebab: kebabCase(resource.kind) };
  if (resource.core) return undefined;
  if (!resource.external) return typeFile(project, location);
  if (resource.path === undefined) return externalFile(location);
  return resource.path.startsWith('./') ? resource.path.slice('./'.length) : undefined;
}

/** Returns the specifier with which a file of the project imports the kind of a resource. */
export function kindImport(project: Project, resource: ScaffoldResource, fromFile: string): string {
  const file = kindFile(project, resource);
  return file === undefined ? (resource.path as string) : importPath(fromFile, file);
}
