import type { Project } from '../../project/project.ts';
import type { Tree } from '../../scaffold/tree.ts';
import { projectVariables } from './project-variables.ts';
import { type ScaffoldResource, resourceVariables } from './resource-variables.ts';
import { addToKustomization } from './stage-api.ts';
import { stageAuthorityRule } from './stage-authority-rule.ts';
import { stageTemplates } from './stage-templates.ts';

/** The webhooks that a command adds. */
export interface WebhookConfig {
  /** Whether the kind's versions are converted. */
  readonly conversion: boolean;
  /** Whether there is a webhook that defaults. */
  readonly mutating: boolean;
  /** Whether there is a webhook that validates. */
  readonly validating: boolean;
}

/** What `ots manifests` calls the configurations. */
const CONFIGURATIONS = {
  mutating: 'mutatingwebhookconfigurations',
  validating: 'validatingwebhookconfigurations',
} as const;

/**
 * Stages the webhook component and those for its certificate. In config/default the first webhook switches them on,
 * with the certificate that the manager makes itself; what the author chooses instead stays.
 */
export function stageWebhookConfig(
  tree: Tree,
  project: Project,
  resource: ScaffoldResource,
  config: WebhookConfig,
): void {
  const isFirst = !tree.exists('config/webhook/kustomization.yaml');
  // The components serve all webhooks of a project, so they are there when a second one comes.
  stageTemplates(tree, 'webhook/config', projectVariables(project, tree), () => true);
  if (isFirst) addToKustomization(tree, 'config/default', 'components', ['../webhook', '../certificates']);
  addToKustomization(tree, 'config/network-policy', 'resources', ['allow-webhook-traffic.yaml']);
  for (const sort of ['mutating', 'validating'] as const) {
    if (!config[sort]) continue;
    addToKustomization(tree, 'config/webhook', 'resources', ['manifests.yaml']);
    const target = { kind: 'Deployment', name: 'controller-manager' };
    addToKustomization(tree, 'config/certificates', 'patches', [{ path: `${sort}-args-patch.yaml`, target }]);
    stageAuthorityRule(tree, {
      group: 'admissionregistration.k8s.io',
      plural: CONFIGURATIONS[sort],
      name: `${sort}-webhook-configuration`,
    });
  }
  if (!config.conversion) return;
  const { plural, qualifiedGroup } = resourceVariables(project, resource);
  const name = `${plural}.${qualifiedGroup}`;
  const target = { kind: 'CustomResourceDefinition', name };
  addToKustomization(tree, 'config/certmanager', 'patches', [{ path: 'ca-injection-patch.yaml', target }]);
  stageAuthorityRule(tree, { group: 'apiextensions.k8s.io', plural: 'customresourcedefinitions', name });
}
