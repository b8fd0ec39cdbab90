import type { Context } from '../../context.ts';
import { stageManifests } from '../../layouts/typescript/stage-manifests.ts';
import type { ManifestResult } from '../../manifests/generate-manifests.ts';
import { ProjectFile } from '../../project/project-file.ts';
import { execute } from '../../scaffold/execute.ts';
import { diskFileSystem } from '../../scaffold/file-system.ts';
import type { Plan } from '../../scaffold/plan.ts';
import { projectFile } from '../../scaffold/project-root.ts';
import { projectRoot } from '../shared/in-project.ts';
import type { ManifestsOptions } from './manifests-options.ts';

/** The changes of `ots manifests` to files, and what it generated from the sources. */
export interface ManifestsPlan {
  readonly plan: Plan;
  readonly generated: ManifestResult;
}

/**
 * Generates everything that `ots manifests` generates, with the API reference if the flags ask for it.
 *
 * @param write whether to execute the plan
 * @throws OtsError `INVALID_SOURCES`, and errors of the plan and its execution
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
      const { project } = ProjectFile.parse(tree.read(projectFile) ?? '');
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
