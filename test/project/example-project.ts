import type { Project, ResourceInput } from '../../src/project/project.ts';
import { ProjectFile } from '../../src/project/project-file.ts';

/** A kind of the example project, in its group and with an API, unless told otherwise. */
export function resource(overrides: Partial<ResourceInput> = {}): ResourceInput {
  return {
    group: 'crew',
    domain: 'example.com',
    version: 'v1',
    kind: 'Captain',
    api: { crdVersion: 'v1', namespaced: true },
    path: 'src/api/v1',
    ...overrides,
  };
}

/** A project with the given kinds. */
export function projectWith(...resources: ResourceInput[]): Project {
  return projectOf({}, ...resources);
}

/** A project of many groups with the given kinds. */
export function multigroupWith(...resources: ResourceInput[]): Project {
  return projectOf({ multigroup: true }, ...resources);
}

function projectOf(options: { multigroup?: boolean }, ...resources: ResourceInput[]): Project {
  const file = ProjectFile.create({ domain: 'example.com', projectName: 'fleet', repo: 'fleet', ...options });
  for (const input of resources) file.addOrMergeResource(input);
  return file.project;
}
