import { defaultControllerName } from '../../project/names/controller-name.ts';
import { kebabCase } from '../../project/names/kebab-case.ts';
import type { Project, Resource } from '../../project/project.ts';
import { groupPrefix } from '../../project/project-lookups.ts';
import { isSameKind } from '../../project/resource-identity.ts';
import type { Tree } from '../../scaffold/tree.ts';
import { pascalCase } from './change-case.ts';
import { importPath } from './import-path.ts';
import { type Layout, controllerFile, webhookFile } from './paths.ts';

type SetupList = 'controllers' | 'webhooks';

/** One thing that a create command adds for a resource. */
export type ScaffoldStep =
  | { readonly adds: 'api'; readonly resource: Resource }
  /** The name is undefined for the unnamed controller of a kind. */
  | { readonly adds: 'controller'; readonly resource: Resource; readonly name: string | undefined }
  | { readonly adds: 'defaulter' | 'validator'; readonly resource: Resource }
  | { readonly adds: 'conversion'; readonly resource: Resource; readonly spoke: string };

/**
 * What the create commands added to a project according to PROJECT, in an order in which they can add it again: APIs first.
 * Controllers and webhooks come in the order of their lists in the sources, which is that of the commands.
 *
 * @param source the project with its sources
 */
export function scaffoldSteps(project: Project, source: Tree): ScaffoldStep[] {
  const { resources } = project;
  const controllers = resources.flatMap((resource) => controllersOf(project, resource, source));
  return [
    ...resources.filter(({ api }) => api).map((resource) => ({ adds: 'api', resource }) as const),
    ...inOrderOf(source, project, 'controllers', controllers),
    ...inOrderOf(source, project, 'webhooks', resources.flatMap(webhooksOf)),
  ];
}

function controllersOf(project: Project, resource: Resource, source: Tree): ScaffoldStep[] {
  const { controller, controllers, kind, group } = resource;
  if (controller) return [{ adds: 'controller', resource, name: undefined }];
  // PROJECT lists the unnamed controller by its default name as soon as there is another one.
  const usual = defaultControllerName(kind, groupPrefix(project, group));
  return controllers.map(({ name }) => {
    const isNamed = name !== usual || source.exists(controllerFile(project, group, name));
    return { adds: 'controller', resource, name: isNamed && name !== kebabCase(kind) ? name : undefined };
  });
}

function webhooksOf(resource: Resource): ScaffoldStep[] {
  const { webhooks } = resource;
  if (!webhooks) return [];
  return [
    ...(webhooks.defaulting ? [{ adds: 'defaulter', resource } as const] : []),
    ...(webhooks.validation ? [{ adds: 'validator', resource } as const] : []),
    ...webhooks.spoke.map((spoke) => ({ adds: 'conversion', resource, spoke }) as const),
  ];
}

/** Sorts steps by the places of their imports in a list. Steps without one come last, in their order. */
function inOrderOf(
  source: Tree,
  project: Project,
  list: SetupList,
  steps: readonly ScaffoldStep[],
): ScaffoldStep[] {
  const placed = steps.map((step) => ({
    step,
    place: setupImport(source, project, list, step)?.index ?? Infinity,
  }));
  return placed.toSorted((a, b) => (a.place === b.place ? 0 : a.place - b.place)).map(({ step }) => step);
}

/**
 * Whether a command added this when the project had the other layout of groups: `ots edit --multigroup` moves files and does not rename
 * what is in them.
 */
export function isOfOtherLayout(project: Project, step: ScaffoldStep, source: Tree): boolean {
  const { kind, group } = step.resource;
  if (step.adds === 'api') return isApiOfOtherLayout(project, step.resource, source);
  const list = step.adds === 'controller' ? 'controllers' : 'webhooks';
  const suffix = step.adds === 'controller' ? 'Controller' : pascalCase(versionOf(step));
  const name = setupImport(source, project, list, step)?.[1];
  const prefix = project.multigroup ? '' : pascalCase(group);
  return name?.startsWith(`setup${prefix}${kind}${suffix}`) ?? false;
}

/** The files of the roles tell: with group folders, their names begin with the group. The first version of a kind adds the first ones. */
function isApiOfOtherLayout(project: Project, resource: Resource, source: Tree): boolean {
  const { kind, group } = resource;
  const hasRoles = (prefix: string): boolean =>
    source.exists(`config/rbac/${prefix}${kebabCase(kind)}-admin-role.yaml`);
  const [other, current] = project.multigroup ? ['', `${group}-`] : [`${group}-`, ''];
  if (!hasRoles(other)) return false;
  const first = project.resources.find((candidate) => candidate.api && isSameKind(candidate, resource));
  return !hasRoles(current) || first === resource;
}

/** The import of a step's file in a list, with the name that it imports. */
function setupImport(
  source: Tree,
  project: Project,
  list: SetupList,
  step: ScaffoldStep,
): RegExpExecArray | null {
  const index = `src/${list}/index.ts`;
  const path = importPath(index, fileOf(project, step)).replaceAll('.', '\\.');
  return new RegExp(`import \\{ (\\w+) \\} from '${path}';`).exec(source.read(index) ?? '');
}

/** The file of the controller or webhook that a step adds. */
function fileOf(layout: Layout, step: ScaffoldStep): string {
  const { resource, adds } = step;
  const kindKebab = kebabCase(resource.kind);
  if (adds === 'controller') return controllerFile(layout, resource.group, step.name ?? kindKebab);
  const role = adds === 'api' ? 'validator' : adds;
  return webhookFile(layout, { ...resource, version: versionOf(step), kindKebab }, role);
}

function versionOf(step: ScaffoldStep): string {
  return step.adds === 'conversion' ? step.spoke : step.resource.version;
}
