import type { Project } from '../../project/project.ts';
import type { Tree } from '../../scaffold/tree.ts';
import { projectVariables } from './project-variables.ts';
import { type ScaffoldResource, resourceVariables } from './resource-variables.ts';
import { addToKustomization } from './add-to-kustomization.ts';
import { stageAuthorityRules } from './stage-authority-rule.ts';
import { stageOlmCertificate } from './stage-bundle-kustomization.ts';
import { stageTemplates } from './stage-templates.ts';

/** The webhooks that a command adds. */
export interface WebhookConfig {
  /** Whether the kind's versions are converted. */
  readonly conversion: boolean;
  /** Whether a webhook sets defaults. */
  readonly mutating: boolean;
  /** Whether a webhook validates. */
  readonly validating: boolean;
}

/** The names that `ots manifests` gives the configurations. */
const configurations = {
  mutating: 'mutatingwebhookconfigurations',
  validating: 'validatingwebhookconfigurations',
} as const;

const manager = { kind: 'Deployment', name: 'controller-manager' };

/**
 * Stages the webhook component and the components for its certificate. The first webhook enables them in
 * config/default, with the certificate that the manager creates. Later webhooks change only what they must,
 * because the author may have chosen another certificate or removed a component.
 */
export function stageWebhookConfig(
  tree: Tree,
  project: Project,
  resource: ScaffoldResource,
  config: WebhookConfig,
): void {
  if (!tree.exists('config/webhook/kustomization.yaml')) {
    stageTemplates(tree, 'webhook/config', projectVariables(project, tree), () => true);
    addToKustomization(tree, 'config/default', 'components', ['../webhook', '../certificates']);
    stageOlmCertificate(tree);
  }
  addToKustomization(tree, 'config/network-policy', 'resources', ['allow-webhook-traffic.yaml']);
  const sorts = (['mutating', 'validating'] as const).filter((sort) => config[sort]);
  if (sorts.length > 0) stageConfigurations(tree, sorts);
  if (config.conversion) stageConvertedDefinition(tree, project, resource);
}

/**
 * Deploys the configurations of all mutating and all validating webhooks, and lets the manager write its CA
 * bundle into them.
 */
function stageConfigurations(tree: Tree, sorts: readonly (keyof typeof configurations)[]): void {
  addToKustomization(tree, 'config/webhook', 'resources', ['manifests.yaml']);
  if (!tree.exists('config/certificates/kustomization.yaml')) return;
  const named = sorts.map((sort) => ({ sort, name: `${sort}-webhook-configuration` }));
  const patches = named.map(({ sort, name }) => ({
    ...patchOf(tree, `config/certificates/${sort}-args-patch.yaml`, argumentsPatch(sort, name)),
    target: manager,
  }));
  addToKustomization(tree, 'config/certificates', 'patches', patches);
  const group = 'admissionregistration.k8s.io';
  stageAuthorityRules(
    tree,
    named.map(({ sort, name }) => ({ group, plural: configurations[sort], name })),
  );
}

/** Lets the manager write its CA bundle into the CRD of a kind whose versions are converted. */
function stageConvertedDefinition(tree: Tree, project: Project, resource: ScaffoldResource): void {
  const { plural, qualifiedGroup } = resourceVariables(project, resource);
  const name = `${plural}.${qualifiedGroup}`;
  const target = { kind: 'CustomResourceDefinition', name };
  if (tree.exists('config/certmanager/kustomization.yaml')) {
    const patch = patchOf(tree, 'config/certmanager/ca-injection-patch.yaml', injectionPatch);
    addToKustomization(tree, 'config/certmanager', 'patches', [{ ...patch, target }]);
  }
  if (tree.exists('config/certificates/authority-role.yaml'))
    stageAuthorityRules(tree, [{ group: 'apiextensions.k8s.io', plural: 'customresourcedefinitions', name }]);
}

/**
 * Returns a patch of a kustomization. ots 0.1.0 wrote these patches to separate files, which its projects
 * keep.
 */
function patchOf(tree: Tree, file: string, patch: string): { path: string } | { patch: string } {
  return tree.exists(file) ? { path: file.slice(file.lastIndexOf('/') + 1) } : { patch };
}

/** Passes the name of a webhook configuration to the manager. */
function argumentsPatch(sort: 'mutating' | 'validating', name: string): string {
  const path = '/spec/template/spec/containers/0/args/-';
  return [`--webhook-${sort}-configuration`, name]
    .map((value) => `- op: add\n  path: ${path}\n  value: ${value}\n`)
    .join('');
}

const injectionPatch = `apiVersion: v1
kind: Any
metadata:
  name: any
  annotations:
    cert-manager.io/inject-ca-from: system/webhook-certificate
`;
