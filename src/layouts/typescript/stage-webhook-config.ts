import type { Project } from '../../project/project.ts';
import type { Tree } from '../../scaffold/tree.ts';
import { projectVariables } from './project-variables.ts';
import { type ScaffoldResource, resourceVariables } from './resource-variables.ts';
import { addToKustomization } from './stage-api.ts';
import { stageTemplates } from './stage-templates.ts';

/** The webhooks that a project has after a command. */
export interface WebhookConfig {
  /** Whether the kind's versions are converted. */
  readonly conversion: boolean;
  /** Whether there is a webhook that defaults or validates. */
  readonly admission: boolean;
}

/** Stages the webhook component with its certificate, and switches it on in config/default. */
export function stageWebhookConfig(
  tree: Tree,
  project: Project,
  resource: ScaffoldResource,
  config: WebhookConfig,
): void {
  // The component serves all webhooks of a project, so it is there when a second one comes.
  stageTemplates(tree, 'webhook/config', projectVariables(project, tree), () => true);
  addToKustomization(tree, 'config/default', 'components', ['../webhook', '../certmanager']);
  addToKustomization(tree, 'config/default', 'transformers', ['../certmanager/names']);
  addToKustomization(tree, 'config/network-policy', 'resources', ['allow-webhook-traffic.yaml']);
  if (config.admission) addToKustomization(tree, 'config/webhook', 'resources', ['manifests.yaml']);
  if (!config.conversion) return;
  const { plural, qualifiedGroup } = resourceVariables(project, resource);
  const target = { kind: 'CustomResourceDefinition', name: `${plural}.${qualifiedGroup}` };
  addToKustomization(tree, 'config/certmanager', 'patches', [{ path: 'ca-injection-patch.yaml', target }]);
}
