import type { Project } from '../../project/project.ts';
import { listTemplates, renderTemplate } from '../../scaffold/render.ts';
import { lineEndingOf } from '../../scaffold/insertions/line-ending.ts';
import type { Tree } from '../../scaffold/tree.ts';
import { initVariables } from './init-variables.ts';
import { templates } from './stage-templates.ts';

/**
 * Updates the files of init after a setting changed. Replaces unchanged files. A file that the author edited
 * is a conflict, which --force overrides. It stays as it is if only its text depends on the setting.
 *
 * @returns notes for the user
 */
export function restageInit(tree: Tree, before: Project, after: Project): string[] {
  const notes: string[] = [];
  const directory = `${templates}/init`;
  for (const name of listTemplates(directory)) {
    const old = renderTemplate(name, initVariables(before, tree));
    const content = renderTemplate(name, initVariables(after, tree));
    if (old === content) continue;
    const path = name.slice(directory.length + 1);
    const disk = tree.read(path);
    const eol = lineEndingOf(disk ?? '');
    if (disk === old.replaceAll('\n', eol)) tree.generate(path, content.replaceAll('\n', eol));
    else if (path.startsWith('config/')) tree.create(path, content);
    else notes.push(`${path} was edited and stays unchanged; it may describe the old setting.`);
  }
  return notes;
}
