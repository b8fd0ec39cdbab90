import { OtsError } from '../../errors/ots-error.ts';
import type { Project } from '../../project/project.ts';
import type { Tree } from '../../scaffold/tree.ts';

/**
 * Stages what is generated from the sources as they are staged: CRDs, the role and webhook configurations. Generated
 * files that no source stands for any more are removed.
 *
 * @throws OtsError `invalid-sources` with every error in the sources; nothing is staged then
 */
export async function stageManifests(tree: Tree, project: Project): Promise<void> {
  const { generateManifests } = await import('../../manifests/generate-manifests.ts');
  const { files, orphans, diagnostics } = generateManifests(tree, { namespaced: project.namespaced });
  if (diagnostics.length > 0) {
    const { formatDiagnostic } = await import('../../manifests/diagnostics/format-diagnostic.ts');
    const count = diagnostics.length === 1 ? 'an error' : `${diagnostics.length} errors`;
    throw new OtsError(
      'invalid-sources',
      `The sources have ${count}:\n${diagnostics.map(formatDiagnostic).join('\n')}`,
      {
        hint: 'Correct the sources and run the command again; nothing was written.',
        details: { diagnostics },
      },
    );
  }
  for (const [path, content] of files) tree.generate(path, content);
  for (const path of orphans) tree.remove(path);
}
