import type { Project } from '../../../project/project.ts';
import { memoryTree } from '../../../scaffold/memory-tree.ts';
import type { Tree } from '../../../scaffold/tree.ts';
import { stageProject } from '../stage-project.ts';

/** A project as ots scaffolds it, without the edits of its author. */
export interface Scaffold {
  /** The texts of the files that belong to the author, by path. */
  readonly files: ReadonlyMap<string, string>;
  /** The paths of the files that `ots manifests` generates. */
  readonly generated: ReadonlySet<string>;
}

/**
 * Renders the scaffold of a project.
 *
 * @param source the project with its sources, of which PROJECT does not record everything
 */
export async function renderScaffold(project: Project, source: Tree): Promise<Scaffold> {
  const tree = memoryTree();
  await stageProject(tree, project, source, { vendor: false });
  const changes = tree.changes();
  const generated = changes.filter(({ origin }) => origin === 'generated');
  const authored = changes.filter(({ origin }) => origin !== 'generated');
  return {
    files: new Map(authored.map(({ path, after }) => [path, after?.toString() ?? ''])),
    generated: new Set(generated.map(({ path }) => path)),
  };
}
