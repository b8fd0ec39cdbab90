import type { Context } from '../../context.ts';
import { stageUndo } from '../../layouts/typescript/undo/stage-undo.ts';
import { removeFromBase } from '../../layouts/typescript/undo/remove-from-base.ts';
import { checkVersionDeletion, controllersToDelete, knownResource } from '../../project/check-deletion.ts';
import { apiGroup } from '../../project/names/api-group.ts';
import type { Resource } from '../../project/project.ts';
import type { ProjectFile } from '../../project/project-file.ts';
import { controllerNames, groupPrefix } from '../../project/project-lookups.ts';
import { withoutControllers, withoutEverything } from '../../project/reduce-resource.ts';
import { describeResource, isSameKind } from '../../project/resource-identity.ts';
import type { Staged } from '../../scaffold/execute.ts';
import type { Tree } from '../../scaffold/tree.ts';
import { inProject } from '../shared/in-project.ts';
import { type ResourceOptions, chooseResource } from './choose-resource.ts';
import { confirmDeletion } from './confirm-deletion.ts';

export interface DeleteApiOptions extends ResourceOptions {
  resource?: boolean;
  controllerName?: string;
  force?: boolean;
  yes?: boolean;
}

/** `ots delete api`: removes a version of a kind, or controllers, with everything that `ots create api` added for them. */
export async function deleteApi(options: DeleteApiOptions, context: Context): Promise<void> {
  const name = await chooseResource(
    options,
    context,
    ({ api, controller, controllers }) => api !== undefined || controller || controllers.length > 0,
  );
  const approve = confirmDeletion(options, context);
  const stage = async (tree: Tree, file: ProjectFile): Promise<Staged> => {
    const resource = knownResource(file.project, name);
    const isWhole = resource.api && options.resource !== false && options.controllerName === undefined;
    return isWhole
      ? await deleteVersion(tree, file, resource)
      : await deleteControllers(tree, file, resource, options);
  };
  await inProject('delete api', options, context, stage, approve);
}

async function deleteVersion(tree: Tree, file: ProjectFile, resource: Resource): Promise<Staged> {
  const before = file.project;
  checkVersionDeletion(before, resource);
  const heir = before.resources.find(
    (other) => other.api && other !== resource && isSameKind(other, resource),
  );
  const hasControllers = controllerNames(before, resource).length > 0;
  file.reduceResource(resource, withoutEverything(resource));
  // After that: two resources cannot have controllers of the same name.
  if (heir && hasControllers) {
    const { group, domain, version, kind, plural } = heir;
    const { controller, controllers } = resource;
    file.addOrMergeResource({ group, domain, version, kind, plural, controller, controllers });
  }
  const definition = `${resource.plural}.${apiGroup(resource)}`;
  removeFromBase(tree, definition, heir ? resource.version : undefined);
  const notes = await stageUndo(tree, before, file.project, describeResource(resource));
  notes.push(heir ? versionNote(resource, heir) : definitionNote(definition));
  if (heir && hasControllers)
    notes.push(`The controller of ${resource.kind} now works with ${heir.version}.`);
  return { notes, nextSteps: ['npm test'] };
}

/** @see https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definition-versioning/ */
function versionNote({ version }: Resource, heir: Resource): string {
  return `A cluster refuses the CRD without ${version} while objects are stored in it: deploy a CRD that stores ${heir.version}, and run ots migrate-storage there first.`;
}

function definitionNote(definition: string): string {
  return `Clusters keep the CRD ${definition} and its objects. To delete both there, run kubectl delete crd ${definition}`;
}

async function deleteControllers(
  tree: Tree,
  file: ProjectFile,
  resource: Resource,
  options: DeleteApiOptions,
): Promise<Staged> {
  const before = file.project;
  const names = controllersToDelete(before, resource, options.controllerName);
  file.reduceResource(resource, withoutControllers(resource, names, groupPrefix(before, resource.group)));
  const what = `${names.length === 1 ? 'The controller' : 'The controllers'} ${names.join(' and ')}`;
  return { notes: await stageUndo(tree, before, file.project, what), nextSteps: ['npm test'] };
}
