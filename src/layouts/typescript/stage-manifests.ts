import { OtsError } from '../../errors/ots-error.ts';
import type { ManifestResult } from '../../manifests/generate-manifests.ts';
import type { Project } from '../../project/project.ts';
import type { Tree } from '../../scaffold/tree.ts';

/**
 * Stages the files that are generated from the staged sources: CRDs, the role and webhook configurations.
 * Removes generated files whose source no longer exists.
 *
 * @returns the generated files
 * @throws OtsError `INVALID_SOURCES` with every error in the sources; then nothing is staged
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
