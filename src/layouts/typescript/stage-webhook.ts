import { apiGroup } from '../../project/names/api-group.ts';
import { defaultWebhookPath } from '../../project/names/webhook-path.ts';
import { kebabCase } from '../../project/names/kebab-case.ts';
import type { Project } from '../../project/project.ts';
import type { Tree } from '../../scaffold/tree.ts';
import { kindFile, kindImport } from './kind-import.ts';
import { camelCase, pascalCase } from './change-case.ts';
import { importPath } from './import-path.ts';
import { sampleFile, testFileOf, webhookFile } from './paths.ts';
import { projectVariables } from './project-variables.ts';
import { registerSetup } from './register-setup.ts';
import { type ScaffoldResource, resourceVariables } from './resource-variables.ts';
import { stageTemplate } from './stage-templates.ts';

/**
 * Stages the webhook that sets defaults.
 * @param path its URL path; undefined for the default path
 */
export function stageDefaulter(
  tree: Tree,
  project: Project,
  resource: ScaffoldResource,
  path: string | undefined,
): void {
  stageAdmission(tree, project, resource, 'defaulter', path);
}

/**
 * Stages the webhook that validates.
 * @param path its URL path; undefined for the default path
 */
export function stageValidator(
  tree: Tree,
  project: Project,
  resource: ScaffoldResource,
  path: string | undefined,
): void {
  stageAdmission(tree, project, resource, 'validator', path);
}

function stageAdmission(
  tree: Tree,
  project: Project,
  resource: ScaffoldResource,
  role: 'defaulter' | 'validator',
  path: string | undefined,
): void {
  const { kind, version } = resource;
  const file = webhookFile(project, { ...resource, kindKebab: kebabCase(kind) }, role);
  const setupName = setupNameOf(project, resource, pascalCase(role));
  const variables = {
    ...projectVariables(project, tree),
    ...resourceVariables(project, resource),
    className: `${kind}${pascalCase(role)}`,
    setupName,
    fileName: kebabCase(kind),
    kindImport: kindImport(project, resource, file),
    // The API server of a test serves only the kinds of this project, and only they have samples.
    own: !resource.core && !resource.external,
    sample: sampleFile(resource),
    setupImport: importPath(file, 'src/webhooks/index.ts'),
    path: path ?? defaultWebhookPath(role === 'defaulter' ? 'defaulting' : 'validation', resource),
    customPath: path !== undefined,
    // `ots manifests` does not read packages, so the tag must state what it would otherwise take from the
    // type.
    unreadable: !resource.core && kindFile(project, resource) === undefined,
    webhookName: `${role === 'defaulter' ? 'm' : 'v'}${kind.toLowerCase()}-${version}.${apiGroup(resource)}`,
  };
  stageTemplate(tree, `webhook/${role}.ts`, file, variables);
  stageTemplate(tree, `webhook/${role}.test.ts`, testFileOf(file), variables);
  registerSetup(tree, 'webhooks', setupName, file);
}

/** Returns the file of the conversion of a version, the spoke. */
export function conversionFile(project: Project, spoke: ScaffoldResource): string {
  return webhookFile(project, { ...spoke, kindKebab: kebabCase(spoke.kind) }, 'conversion');
}

/**
 * Stages the conversion between a version (the spoke) and the version that all others are converted to and
 * from (the hub).
 */
export function stageConversion(
  tree: Tree,
  project: Project,
  hub: ScaffoldResource,
  spoke: ScaffoldResource,
): void {
  const kindKebab = kebabCase(hub.kind);
  const file = conversionFile(project, spoke);
  const setupName = setupNameOf(project, spoke, 'Conversion');
  const variables = {
    ...projectVariables(project, tree),
    kind: hub.kind,
    hub: hub.version,
    spoke: spoke.version,
    qualifiedGroup: resourceVariables(project, hub)['qualifiedGroup'],
    hubApiVersion: resourceVariables(project, hub)['apiVersion'],
    spokeApiVersion: resourceVariables(project, spoke)['apiVersion'],
    hubImport: kindImport(project, hub, file),
    spokeImport: kindImport(project, spoke, file),
    scopeNamespaced: hub.scope === 'Namespaced',
    sample: sampleFile(spoke),
    hubSample: sampleFile(hub),
    setupImport: importPath(file, 'src/webhooks/index.ts'),
    constantName: `${camelCase(kindKebab)}${pascalCase(spoke.version)}Conversion`,
    setupName,
    fileName: kindKebab,
  };
  stageTemplate(tree, 'webhook/conversion.ts', file, variables);
  stageTemplate(tree, 'webhook/conversion.test.ts', testFileOf(file), variables);
  registerSetup(tree, 'webhooks', setupName, file);
}

function setupNameOf(project: Project, { group, kind, version }: ScaffoldResource, role: string): string {
  return `setup${project.multigroup ? pascalCase(group) : ''}${kind}${pascalCase(version)}${role}`;
}
