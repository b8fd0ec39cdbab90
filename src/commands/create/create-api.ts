import type { CommonOptions } from '../../common-options.ts';
import type { Context } from '../../context.ts';
import { OtsError } from '../../errors/ots-error.ts';
import { copyNewestVersion } from '../../layouts/typescript/copy-newest-version.ts';
import type { VersionCopy } from '../../layouts/typescript/copy-version.ts';
import { typeDirectory } from '../../layouts/typescript/paths.ts';
import type { ScaffoldResource } from '../../layouts/typescript/resource-variables.ts';
import { stageApi } from '../../layouts/typescript/stage-api.ts';
import { stageController } from '../../layouts/typescript/stage-controller.ts';
import { checkNewApi } from '../../project/check-new-api.ts';
import { checkNewController } from '../../project/check-new-controller.ts';
import type { Resource } from '../../project/project.ts';
import type { ProjectFile } from '../../project/project-file.ts';
import { controllerNames } from '../../project/project-lookups.ts';
import { isSameKind } from '../../project/resource-identity.ts';
import type { Staged } from '../../scaffold/execute.ts';
import type { Tree } from '../../scaffold/tree.ts';
import { type GvkFlags, type GvkOptions, askGvk } from './ask-gvk.ts';
import { inProject, projectRoot } from '../shared/in-project.ts';
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

/** `ots create api`: adds a kind, a version of a kind, or a controller for an existing or foreign kind. */
export async function createApi(options: CreateApiOptions, context: Context): Promise<void> {
  projectRoot(options, context); // Fail before the first prompt if there is no project.
  const gvk = await askGvk(options, context);
  await inProject('create api', options, context, async (tree, file, author) => {
    const external = options.externalApiPath !== undefined || options.externalApiDomain !== undefined;
    if (options.resource && external) throw ownAndExternal();
    const isOwn = options.resource ?? !external;
    return isOwn ? await addOwn(tree, file, gvk, options) : addController(tree, file, gvk, options, author);
  });
}

async function addOwn(
  tree: Tree,
  file: ProjectFile,
  gvk: GvkFlags,
  options: CreateApiOptions,
): Promise<Staged> {
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
  const scope = namespaced ? 'Namespaced' : 'Cluster';
  if (withController)
    checkNewController(project, { ...identity, scope, name: options.controllerName }, options);

  const path = typeDirectory(project, gvk.group, gvk.version);
  const resource: ScaffoldResource = {
    ...identity,
    path,
    core: false,
    external: false,
    scope,
  };
  const versions = others.filter(({ api, version }) => api && version !== gvk.version);
  const tags = { shortNames: options.shortName ?? [], categories: options.categories ?? [] };
  const copy = await copyNewestVersion(tree, project, resource, versions, tags);
  stageApi(tree, project, resource, { ...tags, isFirst: versions.length === 0, copy });
  if (withController) stageController(tree, project, resource, options.controllerName);
  file.addOrMergeResource({
    ...identity,
    path,
    api: { crdVersion: 'v1', namespaced },
    ...controllerEntry(withController, options.controllerName),
  });
  const notes = versions.length > 0 ? versionNotes(gvk, versions, copy) : [];
  if (!withController && options.controller === undefined) {
    notes.push(`The controller of ${gvk.kind} also serves this version; --controller-name adds another one.`);
  }
  return { notes, nextSteps: [`edit ${path}, then run npm run manifests`, 'npm test'] };
}

/** Notes on the content of an additional version, and on the conversion that it needs once it differs. */
function versionNotes(
  { group, version, kind }: GvkFlags,
  versions: readonly Resource[],
  copy: VersionCopy | undefined,
): string[] {
  const names = versions.map((other) => other.version);
  const hub = versions.find(({ webhooks }) => webhooks?.conversion)?.version ?? names[0];
  return [
    ...(copy?.notes ?? [
      `${version} starts with the example: the types of ${names.join(' and ')} cannot be read.`,
    ]),
    `Where ${version} differs from ${hub}, objects lose fields without a conversion. To scaffold one, run ots create webhook --group ${group} --version ${hub} --kind ${kind} --conversion --spoke ${version}`,
  ];
}

/** Adds only a controller: for a kind of this project, of Kubernetes, or of another project. */
function addController(
  tree: Tree,
  file: ProjectFile,
  gvk: GvkFlags,
  options: CreateApiOptions,
  author: Tree,
): Staged {
  if (options.controller === false) throw nothingToDo();
  const { project } = file;
  const resource = ownResource(project, gvk) ?? foreignResource(author, project, gvk, options);
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
  return new OtsError(
    'OWN_AND_EXTERNAL',
    '--resource=true defines a type, and --external-api-path and --external-api-domain name a type of another project',
    {
      hint: 'Use --resource=false with --external-api-path and --external-api-domain, or omit these flags.',
    },
  );
}

function nothingToDo(): OtsError {
  return new OtsError('NOTHING_TO_DO', 'Nothing to create with --resource=false and --controller=false', {
    hint: 'Omit one of them.',
  });
}
