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
import { checkElection } from './check-election.ts';
import { checkRotator } from './check-rotator.ts';
import { type Certificates, calledPaths, checkWebhooks } from './check-webhooks.ts';
import { checkWorkloads } from './check-workloads.ts';
import { type Manifest, ofKind } from './manifest.ts';

/** What the PROJECT file of a directory says. */
export function readProject(directory: string): Project {
  return ProjectFile.parse(readFileSync(join(directory, 'PROJECT'), 'utf8')).project;
}

/** What config/default is expected to make. */
export interface Expected {
  readonly project: Project;
  /** The name of the lease that the replicas compete for. */
  readonly leaderElectionId: string;
  readonly names: Names;
  /** Where the certificate of the webhook server comes from, undefined without a webhook server. */
  readonly certificates: Certificates | undefined;
}

/** What a project says of itself. */
export function readExpected(directory: string): Pick<Expected, 'project' | 'leaderElectionId'> {
  const main = readFileSync(join(directory, 'src/main.ts'), 'utf8');
  const leaderElectionId = /^const leaderElectionId = '(.+)';$/m.exec(main)?.[1] ?? '';
  return { project: readProject(directory), leaderElectionId };
}

/** Everything that is wrong with the objects of an operator, a line each. */
export function checkOperator(
  all: readonly Manifest[],
  { project, leaderElectionId, names, certificates }: Expected,
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
    ...checkWebhooks(all, certificates),
    ...(certificates === 'rotator' ? checkRotator(all) : []),
    ...checkElection(all, leaderElectionId),
    ...checkRbac(all, { watched, namespaced }),
    ...checkComplete(all, project, certificates !== undefined),
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
