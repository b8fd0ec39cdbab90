import type { CommonOptions } from '../common-options.ts';
import type { Context } from '../context.ts';
import { OtsError } from '../errors/ots-error.ts';
import { typeDirectory } from '../layouts/typescript/paths.ts';
import type { ScaffoldResource } from '../layouts/typescript/resource-variables.ts';
import { stageApi } from '../layouts/typescript/stage-api.ts';
import { stageController } from '../layouts/typescript/stage-controller.ts';
import { checkNewApi } from '../project/check-new-api.ts';
import { checkNewController } from '../project/check-new-controller.ts';
import type { ProjectFile } from '../project/project-file.ts';
import { controllerNames } from '../project/project-lookups.ts';
import { isSameKind } from '../project/resource-identity.ts';
import type { Staged } from '../scaffold/execute.ts';
import type { Tree } from '../scaffold/tree.ts';
import { type GvkFlags, type GvkOptions, askGvk } from './ask-gvk.ts';
import { inProject, projectRoot } from './in-project.ts';
import { type ExternalOptions, foreignResource } from './foreign-resource.ts';
import { ownResource } from './own-resource.ts';

export interface CreateApiOptions extends CommonOptions, GvkOptions, ExternalOptions {
  plural?: string;
  shortName?: string[];
  categories?: string[];
  resource?: boolean;
  controller?: boolean;
  namespaced?: boolean;
  controllerName?: string;
  force?: boolean;
}

/** `ots create api`: adds a kind, or a version of one, or a controller of a kind that is there or somebody else's. */
export async function createApi(options: CreateApiOptions, context: Context): Promise<void> {
  projectRoot(options, context); // Nobody is asked for an API where there is no project.
  const gvk = await askGvk(options, context);
  await inProject('create api', options, context, async (tree, file) => {
    const external = options.externalApiPath !== undefined || options.externalApiDomain !== undefined;
    if (options.resource && external) throw ownAndExternal();
    const isOwn = options.resource ?? !external;
    return isOwn ? addOwn(tree, file, gvk, options) : addController(tree, file, gvk, options);
  });
}

function addOwn(tree: Tree, file: ProjectFile, gvk: GvkFlags, options: CreateApiOptions): Staged {
  const { project } = file;
  const namespaced = options.namespaced ?? true;
  const plural = checkNewApi(
    project,
    { ...options, ...gvk, namespaced, shortNames: options.shortName },
    options,
  );
  const identity = { ...gvk, domain: project.domain, plural };
  const others = project.resources.filter((resource) => isSameKind(resource, identity));
  const hasController = others.some((resource) => controllerNames(project, resource).length > 0);
  const withController =
    options.controller ?? (!hasController || options.force === true || options.controllerName !== undefined);
  if (withController) checkNewController(project, { ...identity, name: options.controllerName }, options);

  const path = typeDirectory(project, gvk.group, gvk.version);
  const resource: ScaffoldResource = {
    ...identity,
    path,
    core: false,
    external: false,
    scope: namespaced ? 'Namespaced' : 'Cluster',
  };
  const isFirst = !others.some(({ api, version }) => api && version !== gvk.version);
  stageApi(tree, project, resource, { ...options, isFirst });
  if (withController) stageController(tree, project, resource, options.controllerName);
  file.addOrMergeResource({
    ...identity,
    path,
    api: { crdVersion: 'v1', namespaced },
    ...controllerEntry(withController, options.controllerName),
  });
  const notes =
    !withController && options.controller === undefined
      ? [`The controller of ${gvk.kind} serves this version, too; --controller-name adds another one.`]
      : [];
  return { notes, nextSteps: [`edit ${path}, then run npm run manifests`, 'npm test'] };
}

/** A controller alone: of a kind of this project, of Kubernetes, or of another project. */
function addController(tree: Tree, file: ProjectFile, gvk: GvkFlags, options: CreateApiOptions): Staged {
  if (options.controller === false) throw nothingToDo();
  const { project } = file;
  const resource = ownResource(project, gvk) ?? foreignResource(tree, project, gvk, options);
  checkNewController(project, { ...resource, name: options.controllerName }, options);
  stageController(tree, project, resource, options.controllerName);
  const { scope: _, ...entry } = resource;
  file.addOrMergeResource({ ...entry, ...controllerEntry(true, options.controllerName) });
  return { notes: [], nextSteps: ['edit the controller in src/controllers', 'npm test'] };
}

function controllerEntry(withController: boolean, name: string | undefined): object {
  if (!withController) return {};
  return name === undefined ? { controller: true } : { controllers: [{ name }] };
}

function ownAndExternal(): OtsError {
  return new OtsError('own-and-external', 'A type of another project cannot be defined here as well.', {
    hint: 'Use --resource=false with --external-api-path and --external-api-domain, or leave these out.',
  });
}

function nothingToDo(): OtsError {
  return new OtsError(
    'nothing-to-do',
    'With --resource=false and --controller=false there is nothing to make.',
    {
      hint: 'Leave one of them out.',
    },
  );
}
