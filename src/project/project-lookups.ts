import { defaultControllerName } from './names/controller-name.ts';
import { defaultWebhookPath } from './names/webhook-path.ts';
import type { Project, Resource } from './project.ts';

/** The group as part of names, which only a multigroup project needs. */
export function groupPrefix(project: Project, group: string): string | undefined {
  return project.multigroup ? group : undefined;
}

/** The names of a resource's controllers, including default names. */
export function controllerNames(project: Project, resource: Resource): string[] {
  const names = resource.controllers.map(({ name }) => name);
  return resource.controller
    ? [defaultControllerName(resource.kind, groupPrefix(project, resource.group)), ...names]
    : names;
}

/** The resources of the project and of other projects, without those of Kubernetes. */
export function customResources(project: Project): Resource[] {
  return project.resources.filter(({ api, external }) => api !== undefined || external);
}

/** The URL paths of a resource's webhooks, including default paths. */
export function webhookPaths(resource: Resource): string[] {
  const { webhooks } = resource;
  if (!webhooks) return [];
  return [
    ...(webhooks.defaulting ? [webhooks.defaultingPath ?? defaultWebhookPath('defaulting', resource)] : []),
    ...(webhooks.validation ? [webhooks.validationPath ?? defaultWebhookPath('validation', resource)] : []),
  ];
}
