import type { CommonOptions } from '../../common-options.ts';
import type { Context } from '../../context.ts';
import { OtsError } from '../../errors/ots-error.ts';
import { UsageError } from '../../errors/usage-error.ts';
import { headerFile, describeHeader, readHeader } from '../../layouts/typescript/header.ts';
import { relocate } from '../../layouts/typescript/relocate.ts';
import { replaceHeader } from '../../layouts/typescript/replace-header.ts';
import { olmPlugin, stageOlm } from '../../layouts/typescript/stage-olm.ts';
import { restageInit } from '../../layouts/typescript/restage-init.ts';
import { scaffoldResource } from '../../layouts/typescript/stage-project.ts';
import { typeDirectory } from '../../layouts/typescript/paths.ts';
import { refuse } from '../../project/names/refuse.ts';
import type { ProjectFile } from '../../project/project-file.ts';
import { controllerNames } from '../../project/project-lookups.ts';
import type { Project } from '../../project/project.ts';
import type { Tree } from '../../scaffold/tree.ts';
import { type HeaderOptions, chooseHeader } from '../shared/choose-header.ts';
import { inProject } from '../shared/in-project.ts';

export interface EditOptions extends CommonOptions, HeaderOptions {
  multigroup?: boolean;
  namespaced?: boolean;
  olm?: boolean;
  force?: boolean;
}

/** `ots edit`: changes the settings chosen at init, in PROJECT and in the files that depend on them. */
export async function edit(options: EditOptions, context: Context): Promise<void> {
  const { multigroup, namespaced, olm, owner, license, licenseFile } = options;
  if ([multigroup, namespaced, olm, owner, license, licenseFile].every((option) => option === undefined)) {
    throw new UsageError('MISSING_FLAG', 'The setting to change is missing', {
      hint: 'Add --multigroup, --namespaced, --olm, --owner, --license or --license-file.',
    });
  }
  await inProject('edit', options, context, async (tree, file) => {
    const notes: string[] = [];
    if (multigroup !== undefined && multigroup !== file.project.multigroup)
      editMultigroup(tree, file, multigroup);
    if (namespaced !== undefined && namespaced !== file.project.namespaced)
      notes.push(...editNamespaced(tree, file, namespaced, options.force));
    if (owner !== undefined || license !== undefined || licenseFile !== undefined)
      await editHeader(tree, file, options, context);
    if (olm !== undefined) notes.push(...(await editOlm(tree, file, olm)));
    return { notes, nextSteps: olm ? ['npm run bundle'] : ['npm test', 'npm run lint'] };
  });
}

function editMultigroup(tree: Tree, file: ProjectFile, multigroup: boolean): void {
  relocate(tree, file.project, { multigroup });
  file.set('multigroup', multigroup);
  for (const resource of file.project.resources.filter(({ api }) => api)) {
    file.addOrMergeResource({
      ...resource,
      path: typeDirectory({ multigroup }, resource.group, resource.version),
    });
  }
}

function editNamespaced(tree: Tree, file: ProjectFile, namespaced: boolean, force = false): string[] {
  const before = file.project;
  if (namespaced && !force) checkScopes(tree, before);
  file.set('namespaced', namespaced);
  const notes = restageInit(tree, before, file.project);
  const hasControllers = before.resources.some(
    ({ controller, controllers }) => controller || controllers.length > 0,
  );
  return namespaced && hasControllers ? [...notes, testsNote] : notes;
}

/** @throws {OtsError} `CLUSTER_SCOPED_KIND` if the operator could not read a kind any more for which it has a controller */
function checkScopes(tree: Tree, project: Project): void {
  const lost = project.resources.find(
    (resource) =>
      controllerNames(project, resource).length > 0 &&
      scaffoldResource(project, resource, tree).scope === 'Cluster',
  );
  if (!lost) return;
  refuse(
    'CLUSTER_SCOPED_KIND',
    `${lost.kind} is cluster-scoped and has a controller, which would have rights in one namespace only`,
    'Run ots delete api for it first, or add a ClusterRole and its binding to config/rbac and use --force.',
  );
}

async function editOlm(tree: Tree, file: ProjectFile, olm: boolean): Promise<string[]> {
  if (olm) {
    file.addPlugin(olmPlugin);
    stageOlm(tree, file.project);
    return [];
  }
  const before = file.project;
  if (!Object.hasOwn(before.plugins, olmPlugin)) return [];
  file.removePlugin(olmPlugin);
  const { stageUndo } = await import('../../layouts/typescript/undo/stage-undo.ts');
  const notes = await stageUndo(tree, before, file.project, 'The Operator Lifecycle Manager');
  const described = tree.list('config/manifests/bases').length > 0;
  return described ? [...notes, 'config/manifests/bases stays: ots edit --olm uses it again.'] : notes;
}

async function editHeader(
  tree: Tree,
  file: ProjectFile,
  options: EditOptions,
  context: Context,
): Promise<void> {
  const known = describeHeader(readHeader(tree));
  const isNamed = options.license !== undefined || options.licenseFile !== undefined;
  if (!isNamed && (!known || known.license === 'none')) throw noOwner(known !== undefined);
  const fallback = {
    owner: known?.owner || `The ${file.project.projectName} authors`,
    ...(known && { license: known.license }),
  };
  replaceHeader(tree, await chooseHeader(options, fallback, context));
}

/** The tests of controllers are the author's: ots does not edit them. */
const testsNote =
  "Tests of controllers: pass cache: { namespaces: ['system'] } to Manager.create and namespaced: true to projectSetup, and create objects in the namespace system.";

/** --owner alone changes the owner in a header from ots, but not in the author's own text. */
function noOwner(isEmpty: boolean): OtsError {
  const what = isEmpty ? 'The project has no license header' : `ots did not write ${headerFile}`;
  return new OtsError('NO_OWNER', `${what}, so ots cannot change its owner`, {
    hint: 'Add --license or --license-file.',
  });
}
