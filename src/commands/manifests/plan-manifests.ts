import type { Context } from '../../context.ts';
import { stageManifests } from '../../layouts/typescript/stage-manifests.ts';
import type { ManifestResult } from '../../manifests/generate-manifests.ts';
import { ProjectFile } from '../../project/project-file.ts';
import { execute } from '../../scaffold/execute.ts';
import { diskFileSystem } from '../../scaffold/file-system.ts';
import type { Plan } from '../../scaffold/plan.ts';
import { PROJECT_FILE } from '../../scaffold/project-root.ts';
import { projectRoot } from '../shared/in-project.ts';
import type { ManifestsOptions } from './manifests-options.ts';

/** What `ots manifests` does, or would do, to the files, and what it made from the sources. */
export interface ManifestsPlan {
  readonly plan: Plan;
  readonly generated: ManifestResult;
}

/**
 * Generates all that `ots manifests` generates, the API reference included where it is wanted.
 *
 * @param write whether the plan is carried out
 * @throws OtsError `INVALID_SOURCES`, and what the plan and its execution throw
 */
export async function planManifests(
  options: ManifestsOptions,
  context: Context,
  write: boolean,
): Promise<ManifestsPlan> {
  const fs = context.fs ?? diskFileSystem;
  const root = projectRoot(options, context);
  let generated!: ManifestResult;
  const plan = await execute(
    { command: 'manifests', root, dryRun: !write, force: false, fs },
    async (tree) => {
      const { project } = ProjectFile.parse(tree.read(PROJECT_FILE) ?? '');
      generated = await stageManifests(tree, project);
      if (options.docs !== undefined) {
        const { stageDocs } = await import('./stage-docs.ts');
        stageDocs(tree, options.docs, generated.crds);
      }
      return { notes: [], nextSteps: [] };
    },
  );
  return { plan, generated };
}
