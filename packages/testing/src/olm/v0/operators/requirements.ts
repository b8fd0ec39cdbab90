import { isDeepStrictEqual } from 'node:util';
import { CustomResourceDefinition } from 'ots-kubernetes/apiextensions/v1';
import { ServiceAccount } from 'ots-kubernetes/core/v1';
import { ClusterRole, Role } from 'ots-kubernetes/rbac/v1';
import { type Client, type DeepReadonly, NoKindMatchError, isConditionTrue } from 'ots-runtime';
import type { ClusterServiceVersion, PermissionsOfAccount, Requirement } from '../kinds.ts';
import { hashOf } from '../../hash.ts';
import { ownerLabels } from '../plans/steps.ts';
import { compareVersions } from '../../content/versions.ts';

/** What a ClusterServiceVersion needs, and whether all of it is there. */
export interface Requirements {
  readonly met: boolean;
  readonly statuses: Requirement[];
}

const satisfied = ['Present', 'DeploymentFound'];

/** Looks for what a ClusterServiceVersion needs: a version of Kubernetes, kinds, ServiceAccounts and their rights. */
export async function requirementsOf(
  csv: DeepReadonly<ClusterServiceVersion>,
  live: Client,
): Promise<Requirements> {
  const { owned = [], required = [] } = csv.spec.customresourcedefinitions ?? {};
  const definitions = [...new Map([...required, ...owned].map((each) => [each.name, each])).values()];
  const statuses = [
    ...(await kubernetes(csv, live)),
    ...(await Promise.all(definitions.toSorted(byName).map((each) => definition(each, live)))),
    ...ownedServices(csv),
    ...(await Promise.all((csv.spec.nativeAPIs ?? []).map((each) => nativeKind(each, live)))),
    ...(await permissions(csv, live)),
  ];
  return { met: statuses.every(({ status }) => satisfied.includes(status)), statuses };
}

async function kubernetes(
  { metadata, spec }: DeepReadonly<ClusterServiceVersion>,
  live: Client,
): Promise<Requirement[]> {
  const { minKubeVersion } = spec;
  if (!minKubeVersion) return [];
  const { gitVersion } = await live.raw<{ gitVersion: string }>({ path: '/version' });
  const isMet = compareVersions(minKubeVersion, gitVersion.split('-')[0]!) <= 0;
  const message = isMet
    ? `CSV minKubeVersion (${minKubeVersion}) less than server version (${gitVersion})`
    : `CSV version requirement not met: minKubeVersion (${minKubeVersion}) > server version (${gitVersion})`;
  const status = isMet ? 'Present' : 'PresentNotSatisfied';
  return [
    {
      group: 'operators.coreos.com',
      version: 'v1alpha1',
      kind: 'ClusterServiceVersion',
      name: metadata.name!,
      status,
      message,
    },
  ];
}

async function definition(
  { name, version }: { name: string; version: string },
  live: Client,
): Promise<Requirement> {
  const about = { group: 'apiextensions.k8s.io', version: 'v1', kind: 'CustomResourceDefinition', name };
  const found = await live.get(CustomResourceDefinition, { name });
  if (!found) return { ...about, status: 'NotPresent', message: 'CRD is not present' };
  if (!found.spec.versions.some((each) => each.name === version && each.served))
    return { ...about, status: 'NotPresent', message: 'CRD version not served' };
  const conditions = found.status?.conditions;
  if (!isConditionTrue(conditions, 'Established') || !isConditionTrue(conditions, 'NamesAccepted'))
    return {
      ...about,
      status: 'PresentNotAvailable',
      message: 'CRD is present but the Established condition is False (not available)',
    };
  const message = 'CRD is present and Established condition is true';
  return { ...about, status: 'Present', message, uuid: found.metadata.uid! };
}

function ownedServices({ spec }: DeepReadonly<ClusterServiceVersion>): Requirement[] {
  const deployments = (spec.install.spec?.deployments ?? []).map(({ name }) => name);
  return (spec.apiservicedefinitions?.owned ?? []).map(({ group, version, deploymentName = '' }) => ({
    group: 'apiregistration.k8s.io',
    version: 'v1',
    kind: 'APIService',
    name: `${version}.${group}`,
    status: deployments.includes(deploymentName) ? 'DeploymentFound' : 'DeploymentNotFound',
    message: '',
  }));
}

async function nativeKind(
  { group, version, kind }: { group: string; version: string; kind: string },
  live: Client,
): Promise<Requirement> {
  const about = { group, version, kind, name: `${version}.${group}` };
  try {
    await live.mapper.kindFor(group === '' ? version : `${group}/${version}`, kind);
    return { ...about, status: 'Present', message: 'Native API exists' };
  } catch (error) {
    if (!(error instanceof NoKindMatchError)) throw error;
    return { ...about, status: 'NotPresent', message: 'Native API does not exist' };
  }
}

/** OLM asks for every rule; the simulation looks for the roles that OLM has made of them. */
async function permissions(csv: DeepReadonly<ClusterServiceVersion>, live: Client): Promise<Requirement[]> {
  const { permissions: own = [], clusterPermissions = [] } = csv.spec.install.spec ?? {};
  const names = [...new Set([...own, ...clusterPermissions].map((each) => each.serviceAccountName))];
  const labelSelector = { matchLabels: ownerLabels(csv) };
  const { namespace } = csv.metadata;
  const roles = (await live.list(Role, { namespace, labelSelector })).items;
  const clusterRoles = (await live.list(ClusterRole, { labelSelector })).items;
  return Promise.all(
    names.map(async (name): Promise<Requirement> => {
      const about = { group: '', version: 'v1', kind: 'ServiceAccount', name };
      const account = await live.get(ServiceAccount, { name, namespace });
      if (!account) return { ...about, status: 'NotPresent', message: 'Service account does not exist' };
      const rules = [
        ...rulesOf('namespaced', name, own, roles),
        ...rulesOf('cluster', name, clusterPermissions, clusterRoles),
      ];
      const isMet = rules.every(({ status }) => status === 'Satisfied');
      const message = isMet ? '' : 'Policy rule not satisfied for service account';
      return { ...about, status: isMet ? 'Present' : 'PresentNotSatisfied', message, dependents: rules };
    }),
  );
}

function rulesOf(
  scope: string,
  account: string,
  all: readonly DeepReadonly<PermissionsOfAccount>[],
  roles: readonly DeepReadonly<ClusterRole | Role>[],
): NonNullable<Requirement['dependents']> {
  return all
    .filter(({ serviceAccountName }) => serviceAccountName === account)
    .flatMap(({ rules }) => {
      const isGranted = roles.some(
        (role) =>
          role.metadata.labels?.['olm.permissions.hash'] === hashOf(rules) &&
          isDeepStrictEqual(role.rules, rules),
      );
      return rules.map((rule) => ({
        group: 'rbac.authorization.k8s.io',
        version: 'v1',
        kind: 'PolicyRule',
        status: isGranted ? 'Satisfied' : 'NotSatisfied',
        message: `${scope} rule:${JSON.stringify(rule)}`,
      }));
    });
}

function byName(a: { name: string }, b: { name: string }): number {
  return a.name < b.name ? -1 : 1;
}
