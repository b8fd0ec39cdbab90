import type { Project } from '../../project/project.ts';
import { addMissingLines } from '../../scaffold/insertions/add-missing-lines.ts';
import { renderTemplate } from '../../scaffold/render.ts';
import type { Tree } from '../../scaffold/tree.ts';
import { headerFile } from './header.ts';
import { initVariables } from './init-variables.ts';
import { templates, stageTemplates } from './stage-templates.ts';
import { stageVendor } from './stage-vendor.ts';

/** Files that a repository often has before it becomes an operator. */
export const keptFiles: ReadonlySet<string> = new Set([
  'README.md',
  '.gitignore',
  '.editorconfig',
  '.dockerignore',
]);

/**
 * Stages a new project.
 *
 * @param header the comment at the top of source files; empty for none
 * @param options.vendor whether to stage the packages in vendor/; default: true
 * @returns notes for the user
 */
export async function stageInit(
  tree: Tree,
  project: Project,
  header: string,
  { vendor = true }: { vendor?: boolean } = {},
): Promise<string[]> {
  if (header !== '') tree.create(headerFile, header);
  const variables = initVariables(project, tree);
  const kept = stageTemplates(tree, 'init', variables, (path) => keptFiles.has(path));
  if (vendor) await stageVendor(tree);
  return kept.map((path) => {
    if (path !== '.gitignore') return `${path} already existed and stays unchanged.`;
    const lines = renderTemplate(`${templates}/init/.gitignore`, variables).split('\n');
    tree.edit(path, (text) => addMissingLines(text, lines));
    return `${path} already existed; missing lines were added to it.`;
  });
}
