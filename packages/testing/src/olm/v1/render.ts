import type { KubernetesObject } from 'ots-kubernetes';
import type { Deployment } from 'ots-kubernetes/apps/v1';
import type { Bundle } from '../content/bundle.ts';
import { hashOf } from '../hash.ts';
import type { ClusterServiceVersion, PermissionsOfAccount } from '../v0/kinds.ts';
import { mountCertificates } from '../webhooks/certificates.ts';
import { renderWebhooks, withConversion } from './render-webhooks.ts';

/** A bundle that OLM v1 does not install. */
export class UnsupportedError extends Error {
  override readonly name = 'UnsupportedError';
}

const maxNameLength = 63;
const rbac = { apiVersion: 'rbac.authorization.k8s.io/v1' };
const rbacGroup = 'rbac.authorization.k8s.io';

/** The order in which Helm creates kinds; others come last. */
const order = [
  'NetworkPolicy',
  'ServiceAccount',
  'Secret',
  'ConfigMap',
  'CustomResourceDefinition',
  'ClusterRole',
  'ClusterRoleBinding',
  'Role',
  'RoleBinding',
  'Service',
  'Deployment',
];

/**
 * The objects that OLM v1 makes of a bundle, in the order in which it creates them: what watches all namespaces.
 *
 * @param namespace that of the extension
 * @throws {UnsupportedError} when it does not install the bundle
 */
export function render({ csv, objects }: Bundle, namespace: string): KubernetesObject[] {
  const { permissions = [], clusterPermissions = [], deployments = [] } = csv.spec.install.spec ?? {};
  refuse({ csv, objects });
  const accounts = new Set([
    ...[...permissions, ...clusterPermissions].map(({ serviceAccountName }) => serviceAccountName),
    ...deployments.map(({ spec }) => spec.template.spec?.serviceAccountName ?? 'default'),
  ]);
  accounts.delete('default');
  const name = csv.metadata.name!;
  const viewNamespaces = { apiGroups: [''], resources: ['namespaces'], verbs: ['get', 'list', 'watch'] };
  const all: KubernetesObject[] = [
    ...[...accounts].map((account) => ({
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: account, namespace },
    })),
    ...permissions.flatMap(({ rules, ...each }) =>
      roles(name, namespace, { ...each, rules: [...rules, viewNamespaces] }),
    ),
    ...clusterPermissions.flatMap((each) => roles(name, namespace, each)),
    ...objects.map((object) => withConversion(placed(object, namespace), csv, namespace)),
    ...renderWebhooks(csv, namespace),
    ...deployments.map((each) => deployment(each, namespace, csv)),
  ];
  return all.toSorted((a, b) => rankOf(a) - rankOf(b));
}

function rankOf({ kind }: KubernetesObject): number {
  return order.includes(kind) ? order.indexOf(kind) : order.length;
}

/** The first reason why OLM v1 refuses a bundle; `ots bundle validate` knows all of them. */
function refuse({ csv, objects }: Bundle): void {
  const { apiservicedefinitions, installModes = [], customresourcedefinitions } = csv.spec;
  if ((apiservicedefinitions?.owned ?? []).length > 0)
    throw new UnsupportedError('unsupported bundle: apiServiceDefintions are not supported');
  if (!installModes.some(({ type, supported }) => type === 'AllNamespaces' && supported))
    throw new UnsupportedError('unsupported bundle: bundle does not support AllNamespaces install mode');
  const names = objects
    .filter(({ kind }) => kind === 'CustomResourceDefinition')
    .map(({ metadata }) => metadata.name);
  for (const { name } of customresourcedefinitions?.owned ?? [])
    if (!names.includes(name))
      throw new UnsupportedError(
        `cluster service definition references owned custom resource definition '${name}' not found in bundle`,
      );
}

function roles(csv: string, namespace: string, permission: PermissionsOfAccount): KubernetesObject[] {
  const hash = hashOf({ csv, permission });
  const base = `${csv}-${permission.serviceAccountName}`.slice(0, maxNameLength - hash.length - 1);
  const name = `${base}-${hash}`;
  const subjects = [{ kind: 'ServiceAccount', name: permission.serviceAccountName, namespace }];
  const role = { ...rbac, kind: 'ClusterRole', metadata: { name }, rules: permission.rules };
  const roleRef = { apiGroup: rbacGroup, kind: 'ClusterRole', name };
  const binding = { ...rbac, kind: 'ClusterRoleBinding', metadata: { name }, roleRef, subjects };
  return [role, binding];
}

function placed(object: KubernetesObject, namespace: string): KubernetesObject {
  const isCluster =
    /^(?:ClusterRole|ClusterRoleBinding|CustomResourceDefinition|PriorityClass|Console.*)$/.test(object.kind);
  return isCluster ? object : { ...object, metadata: { ...object.metadata, namespace } };
}

function deployment(
  {
    name,
    label,
    spec: written,
  }: { name: string; label?: Record<string, string>; spec: NonNullable<Deployment['spec']> },
  namespace: string,
  { metadata: { annotations }, spec: { webhookdefinitions = [] } }: ClusterServiceVersion,
): Deployment {
  const spec = structuredClone(written);
  const { metadata } = spec.template;
  const own = { 'olm.operatorNamespace': namespace, 'olm.targetNamespaces': '' };
  spec.template.metadata = { ...metadata, annotations: { ...metadata?.annotations, ...annotations, ...own } };
  const hasWebhooks = webhookdefinitions.some(({ deploymentName }) => deploymentName === name);
  if (hasWebhooks && spec.template.spec) mountCertificates(spec.template.spec, name);
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace, ...(label && { labels: label }) },
    spec: { ...spec, revisionHistoryLimit: 1 },
  };
}
