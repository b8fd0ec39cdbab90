import { createHash } from 'node:crypto';
import type { Project } from '../../project/project.ts';
import type { TemplateVariables } from '../../scaffold/render.ts';
import type { Tree } from '../../scaffold/tree.ts';
import { projectVariables } from './project-variables.ts';

/** Returns the variables of the templates of `ots init`. */
export function initVariables(project: Project, tree: Tree): TemplateVariables {
  return { ...projectVariables(project, tree), leaderElectionId: leaderElectionId(project) };
}

/**
 * Returns the name of the lease, which is different for every project of a domain and never changes for a
 * project.
 */
function leaderElectionId({ projectName, domain, repo }: Project): string {
  const hash = createHash('sha256').update(`${repo}/${projectName}`).digest('hex');
  return `${hash.slice(0, 8)}.${domain}`;
}
