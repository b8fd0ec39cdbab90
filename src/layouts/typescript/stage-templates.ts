import { type TemplateVariables, listTemplates, renderTemplate, renderName } from '../../scaffold/render.ts';
import type { Tree } from '../../scaffold/tree.ts';

/** Where the templates of this layout are, below templates/. */
export const templates = 'typescript';

/**
 * Stages every template below a directory of the layout, at the path that its name renders to.
 *
 * @param directory `init`, or a part of a project such as `api/config`, of which the first folder is left out
 * @param keep says which files stay as they are when they are there; the others are the author's to lose
 * @returns the paths of the files that stay
 */
export function stageTemplates(
  tree: Tree,
  directory: string,
  variables: TemplateVariables,
  keep: (path: string) => boolean,
): string[] {
  const kept: string[] = [];
  const root = `${templates}/${directory.split('/')[0]}/`;
  for (const name of listTemplates(`${templates}/${directory}`)) {
    const path = renderName(name.slice(root.length), variables);
    if (keep(path) && tree.exists(path)) kept.push(path);
    else tree.create(path, renderTemplate(name, variables), { executable: path.endsWith('.sh') });
  }
  return kept;
}

/** Stages one template of the layout. */
export function stageTemplate(tree: Tree, name: string, path: string, variables: TemplateVariables): void {
  tree.create(path, renderTemplate(`${templates}/${name}`, variables));
}
