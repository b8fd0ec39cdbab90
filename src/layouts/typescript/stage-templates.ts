import { type TemplateVariables, listTemplates, renderTemplate, renderName } from '../../scaffold/render.ts';
import type { Tree } from '../../scaffold/tree.ts';

/** The folder of this layout's templates, below templates/. */
export const templates = 'typescript';

/**
 * Stages every template below a directory of the layout, at the path that its name renders to.
 *
 * @param directory `init`, or a part of a project such as `api/config`, whose first folder is left out of the
 * path
 * @param isKept returns whether a file stays as it is if it exists; other files are replaced
 * @returns the paths of the files that stay
 */
export function stageTemplates(
  tree: Tree,
  directory: string,
  variables: TemplateVariables,
  isKept: (path: string) => boolean,
): string[] {
  const kept: string[] = [];
  const root = `${templates}/${directory.split('/')[0]}/`;
  for (const name of listTemplates(`${templates}/${directory}`)) {
    const path = renderName(name.slice(root.length), variables);
    if (isKept(path) && tree.exists(path)) kept.push(path);
    else tree.create(path, renderTemplate(name, variables), { executable: path.endsWith('.sh') });
  }
  return kept;
}

/** Stages one template of the layout. */
export function stageTemplate(tree: Tree, name: string, path: string, variables: TemplateVariables): void {
  tree.create(path, renderTemplate(`${templates}/${name}`, variables));
}
