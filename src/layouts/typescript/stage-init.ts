import type { Project } from '../../project/project.ts';
import type { Tree } from '../../scaffold/tree.ts';
import { HEADER_FILE } from './header.ts';
import { projectVariables } from './project-variables.ts';
import { stageTemplates } from './stage-templates.ts';
import { stageVendor } from './stage-vendor.ts';

/** Files that a repository often has before it becomes an operator. */
const KEPT = new Set(['README.md', '.gitignore', '.editorconfig', '.dockerignore']);

/**
 * Stages a new project.
 *
 * @param header the comment at the top of source files; empty for none
 * @returns notes for the user
 */
export function stageInit(tree: Tree, project: Project, header: string): string[] {
  if (header !== '') tree.create(HEADER_FILE, header);
  const kept = stageTemplates(tree, 'init', projectVariables(project, tree), (path) => KEPT.has(path));
  stageVendor(tree);
  return kept.map((path) => `${path} was there and is kept as it is.`);
}
