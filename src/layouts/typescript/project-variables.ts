import { packageName } from '../../project/names/package-name.ts';
import type { Project } from '../../project/project.ts';
import type { TemplateVariables } from '../../scaffold/render.ts';
import type { Tree } from '../../scaffold/tree.ts';
import { packageVersion } from '../../version.ts';
import { headerOf } from './header.ts';

/** The major version of Node that images and workflows use. */
const nodeMajorVersion = 24;

/** Returns the variables that every template can use. */
export function projectVariables(project: Project, tree: Tree): TemplateVariables {
  const { projectName, domain, repo, multigroup, namespaced } = project;
  return {
    projectName,
    domain,
    repo,
    multigroup,
    namespaced,
    packageName: packageName(repo || projectName),
    otsVersion: packageVersion,
    nodeMajor: nodeMajorVersion,
    header: headerOf(tree),
  };
}
