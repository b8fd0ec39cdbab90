import { packageName } from '../../project/names/package-name.ts';
import type { Project } from '../../project/project.ts';
import type { TemplateVariables } from '../../scaffold/render.ts';
import type { Tree } from '../../scaffold/tree.ts';
import { VERSION } from '../../version.ts';
import { headerOf } from './header.ts';

/** The major version of Node that images and workflows use. */
const NODE_MAJOR = 22;

/** What every template may name. */
export function projectVariables(project: Project, tree: Tree): TemplateVariables {
  const { projectName, domain, repo, multigroup, namespaced } = project;
  return {
    projectName,
    domain,
    repo,
    multigroup,
    namespaced,
    packageName: packageName(repo || projectName),
    otsVersion: VERSION,
    nodeMajor: NODE_MAJOR,
    header: headerOf(tree),
  };
}
