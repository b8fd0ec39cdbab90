import { defaultControllerName } from './names/controller-name.ts';
import type { Resource, ResourceWebhooks } from './project.ts';

/** Webhooks of a resource to remove. */
export interface WebhookSelection {
  readonly defaulting: boolean;
  readonly validation: boolean;
  readonly conversion: boolean;
  /** The versions that are no longer converted to and from this one. */
  readonly spokes: readonly string[];
}

/** Whether the project has code for the resource. */
export function isInUse({ api, controller, controllers, webhooks }: Resource): boolean {
  return api !== undefined || controller || controllers.length > 0 || webhooks !== undefined;
}

/** The resource without any code of the project. */
export function withoutEverything(resource: Resource): Resource {
  return { ...resource, api: undefined, controller: false, controllers: [], webhooks: undefined };
}

/**
 * The resource without some of its controllers.
 *
 * @param names as `controllerNames` returns them
 * @param group the group in a multigroup project only, for the default name
 */
export function withoutControllers(
  resource: Resource,
  names: readonly string[],
  group: string | undefined,
): Resource {
  const usual = defaultControllerName(resource.kind, group);
  const controller = resource.controller && !names.includes(usual);
  const controllers = resource.controllers.filter(({ name }) => !names.includes(name));
  // PROJECT lists the unnamed controller by its default name only beside another one.
  const isUnnamed = controllers.length === 1 && controllers[0]?.name === usual;
  return isUnnamed
    ? { ...resource, controller: true, controllers: [] }
    : { ...resource, controller, controllers };
}

/** The resource without some of its webhooks. */
export function withoutWebhooks(resource: Resource, selection: WebhookSelection): Resource {
  const { webhooks } = resource;
  return { ...resource, webhooks: webhooks && reduceWebhooks(webhooks, selection) };
}

function reduceWebhooks(
  webhooks: ResourceWebhooks,
  selection: WebhookSelection,
): ResourceWebhooks | undefined {
  const spoke = webhooks.spoke.filter((version) => !selection.spokes.includes(version));
  const defaulting = webhooks.defaulting && !selection.defaulting;
  const validation = webhooks.validation && !selection.validation;
  const conversion = webhooks.conversion && (!selection.conversion || spoke.length > 0);
  if (!defaulting && !validation && !conversion) return undefined;
  return {
    ...webhooks,
    defaulting,
    defaultingPath: defaulting ? webhooks.defaultingPath : undefined,
    validation,
    validationPath: validation ? webhooks.validationPath : undefined,
    conversion,
    spoke,
  };
}
