import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { apiGroup } from '../../../src/project/names/api-group.ts';
import { ProjectFile } from '../../../src/project/project-file.ts';
import { webhookPaths } from '../../../src/project/project-lookups.ts';
import type { Project } from '../../../src/project/project.ts';
import { type Names, checkNames } from './check-names.ts';
import { checkNetwork } from './check-network.ts';
import { checkPodSecurity } from './check-pod-security.ts';
import { checkRbac } from './check-rbac.ts';
import { calledPaths, checkWebhooks } from './check-webhooks.ts';
import { checkWorkloads } from './check-workloads.ts';
import { type Manifest, ofKind } from './manifest.ts';

/** What the PROJECT file of a directory says. */
export function readProject(directory: string): Project {
  return ProjectFile.parse(readFileSync(join(directory, 'PROJECT'), 'utf8')).project;
}

/** What config/default is expected to make. */
export interface Expected {
  readonly project: Project;
  readonly names: Names;
  /** Whether the webhook server is a part of it. */
  readonly webhooks: boolean;
  /** Whether cert-manager makes its certificate. */
  readonly certManager: boolean;
}

/** Everything that is wrong with the objects of an operator, a line each. */
export function checkOperator(
  all: readonly Manifest[],
  { project, names, webhooks, certManager }: Expected,
): string[] {
  const { resources, namespaced } = project;
  const watched = resources
    .filter(({ controller, controllers }) => controller || controllers.length > 0)
    .map((resource) => ({ group: apiGroup(resource), plural: resource.plural }));
  return [
    ...checkNames(all, names),
    ...checkPodSecurity(all),
    ...checkWorkloads(all),
    ...checkNetwork(all),
    ...checkWebhooks(all, certManager),
    ...checkRbac(all, { watched, namespaced }),
    ...checkComplete(all, project, webhooks),
  ];
}

/** The kinds and webhooks of PROJECT are all there, and no others. */
function checkComplete(all: readonly Manifest[], { resources }: Project, webhooks: boolean): string[] {
  const kinds = resources
    .filter(({ api }) => api)
    .map((resource) => `${resource.plural}.${apiGroup(resource)}`);
  const hubs = resources.filter((resource) => resource.webhooks?.conversion).map(() => '/convert');
  const paths = webhooks ? [...resources.flatMap(webhookPaths), ...hubs] : [];
  const definitions = ofKind(all, 'CustomResourceDefinition').map(({ metadata }) => metadata.name);
  return [
    ...checkSame('definitions', definitions, [...new Set(kinds)]),
    ...checkSame('webhooks', calledPaths(all), paths),
  ];
}

function checkSame(what: string, actual: readonly string[], wanted: readonly string[]): string[] {
  const [found, expected] = [actual, wanted].map((list) => list.toSorted().join(' '));
  return found === expected ? [] : [`the ${what} are [${found}] and not [${expected}]`];
}
