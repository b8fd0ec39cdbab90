import { checkCollisions } from './check-collisions.ts';
import { checkControllerName, defaultControllerName } from './names/controller-name.ts';
import { kebabCase } from './names/kebab-case.ts';
import { refuse } from './names/refuse.ts';
import type { Project, Resource } from './project.ts';
import { controllerNames, groupPrefix } from './project-lookups.ts';
import { describeResource, isSameKind, isSameResource } from './resource-identity.ts';

/** A controller that is about to be added, and the kind that it is for. */
export type NewController = Pick<Resource, 'group' | 'domain' | 'version' | 'kind' | 'plural'> & {
  readonly core?: boolean | undefined;
  /** Default: `Namespaced`. */
  readonly scope?: 'Namespaced' | 'Cluster' | undefined;
  /** Default: `defaultControllerName`. */
  readonly name?: string | undefined;
};

/**
 * Checks that a kind has at most one unnamed controller across its versions, that names are unique, and that the operator may read the kind.
 *
 * @param options `force` allows rewriting an existing controller, and one that needs rights of the author
 * @returns the name of the controller
 * @throws {OtsError} `CONTROLLER_EXISTS`, `CLUSTER_SCOPED_KIND`, those of {@link checkControllerName} and {@link checkCollisions}
 */
export function checkNewController(
  project: Project,
  controller: NewController,
  options: { force?: boolean } = {},
): string {
  const { kind, name } = controller;
  const versions = project.resources.filter((resource) => isSameKind(resource, controller));
  const existing = versions.find((resource) => controllerNames(project, resource).length > 0);
  const effective = name ?? defaultControllerName(kind, groupPrefix(project, controller.group));
  const isRewrite =
    existing !== undefined &&
    options.force === true &&
    isSameResource(existing, controller) &&
    controllerNames(project, existing).includes(effective);

  if (existing && name === undefined && !isRewrite) {
    refuse(
      'CONTROLLER_EXISTS',
      `${describeResource(existing)} already has a controller, which serves all versions of the kind: ${controllerNames(project, existing).join(', ')}`,
      'Use --controller=false to keep it, or name another one with --controller-name.',
    );
  }
  if (project.namespaced && controller.scope === 'Cluster' && !options.force) {
    refuse(
      'CLUSTER_SCOPED_KIND',
      `${kind} is cluster-scoped, and the operator of this project has rights in one namespace only`,
      'Run ots edit --namespaced=false, or add a ClusterRole and its binding to config/rbac and use --force.',
    );
  }
  const names = project.resources.flatMap((resource) => controllerNames(project, resource));
  const taken = name === undefined ? names : [...names, ...fileNames(project, controller)];
  checkControllerName(effective, isRewrite ? names.filter((candidate) => candidate !== effective) : taken);
  checkCollisions(project, controller);
  return effective;
}

/** The file of a controller has the controller's name, or the name of the kind; all are in one folder. */
function fileNames(project: Project, controller: NewController): string[] {
  return project.resources
    .filter((resource) => !project.multigroup || resource.group === controller.group)
    .filter((resource) => !isSameKind(resource, controller) || hasUnnamed(project, resource))
    .map((resource) => kebabCase(resource.kind));
}

/** PROJECT lists an unnamed controller under its default name once the kind has a named one too. */
function hasUnnamed(project: Project, resource: Resource): boolean {
  return controllerNames(project, resource).includes(
    defaultControllerName(resource.kind, groupPrefix(project, resource.group)),
  );
}
