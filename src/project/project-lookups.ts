import { defaultControllerName } from './names/controller-name.ts';
import { defaultWebhookPath } from './names/webhook-path.ts';
import type { Project, Resource } from './project.ts';

/** The group that names are told apart by, which only a multigroup project does. */
export function groupPrefix(project: Project, group: string): string | undefined {
  return project.multigroup ? group : undefined;
}

/** The names of a resource's controllers, given or made. */
export function controllerNames(project: Project, resource: Resource): string[] {
  const names = resource.controllers.map(({ name }) => name);
  return resource.controller
    ? [defaultControllerName(resource.kind, groupPrefix(project, resource.group)), ...names]
    : names;
}

/** The resources that are the project's own, or of another project that it works with; not those of Kubernetes. */
export function customResources(project: Project): Resource[] {
  return project.resources.filter(({ api, external }) => api !== undefined || external);
}

/** The URL paths of a resource's webhooks, given or made. */
export function webhookPaths(resource: Resource): string[] {
  const { webhooks } = resource;
  if (!webhooks) return [];
  return [
    ...(webhooks.defaulting ? [webhooks.defaultingPath ?? defaultWebhookPath('defaulting', resource)] : []),
    ...(webhooks.validation ? [webhooks.validationPath ?? defaultWebhookPath('validation', resource)] : []),
  ];
}
