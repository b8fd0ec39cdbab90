import { OtsError } from '../../errors/ots-error.ts';
import type { ManifestResult } from '../../manifests/generate-manifests.ts';
import type { Project } from '../../project/project.ts';
import type { Tree } from '../../scaffold/tree.ts';

/**
 * Stages what is generated from the sources as they are staged: CRDs, the role and webhook configurations. Generated
 * files that no source stands for any more are removed.
 *
 * @returns what was generated
 * @throws OtsError `INVALID_SOURCES` with every error in the sources; nothing is staged then
 */
export async function stageManifests(tree: Tree, project: Project): Promise<ManifestResult> {
  const { generateManifests } = await import('../../manifests/generate-manifests.ts');
  const result = generateManifests(tree, { namespaced: project.namespaced, domain: project.domain });
  const { files, orphans, diagnostics } = result;
  if (diagnostics.length > 0) {
    const { formatDiagnostic } = await import('../../manifests/diagnostics/format-diagnostic.ts');
    const count = diagnostics.length === 1 ? 'an error' : `${diagnostics.length} errors`;
    throw new OtsError(
      'INVALID_SOURCES',
      `The sources have ${count}:\n${diagnostics.map(formatDiagnostic).join('\n')}`,
      {
        hint: 'Correct the sources and run the command again. ots wrote nothing.',
        details: { diagnostics },
      },
    );
  }
  for (const [path, content] of files) tree.generate(path, content);
  for (const path of orphans) tree.remove(path);
  return result;
}
