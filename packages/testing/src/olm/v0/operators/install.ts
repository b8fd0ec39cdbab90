import { Deployment } from 'ots-kubernetes/apps/v1';
import type { KubernetesObject } from 'ots-kubernetes';
import { ClusterRole, ClusterRoleBinding, Role, RoleBinding } from 'ots-kubernetes/rbac/v1';
import { type DeepReadonly, isAlreadyExists, ownerReference } from 'ots-runtime';
import { type ClusterServiceVersion, OperatorCondition } from '../kinds.ts';
import { managed } from '../olm-user.ts';
import { ownerLabels } from '../plans/steps.ts';
import { thawed } from '../../thawed.ts';
import type { V0Context } from '../v0-context.ts';
import { installWebhooks } from './webhooks.ts';

/**
 * Installs an operator: its roles in the namespaces that it watches, its OperatorCondition, the certificates of its webhooks, and its
 * Deployments. Deployments that it had and no longer has are deleted.
 *
 * @throws {ApiError} when the server refuses
 */
export async function install(
  csv: DeepReadonly<ClusterServiceVersion>,
  deployments: readonly Deployment[],
  targets: readonly string[],
  context: V0Context,
): Promise<void> {
  await grant(csv, targets, context);
  await ensureCondition(csv, deployments, context);
  await installWebhooks(csv, context);
  for (const deployment of deployments) await write(deployment, context);
  await deleteOthers(csv, deployments, context);
}

async function write(deployment: Deployment, { client, live }: V0Context): Promise<void> {
  const { name = '', namespace } = deployment.metadata;
  const current = await live.get(Deployment, { name, namespace });
  if (!current) {
    await client.create(Deployment, deployment);
    return;
  }
  const { resourceVersion = '' } = current.metadata;
  await client.update(Deployment, { ...deployment, metadata: { ...deployment.metadata, resourceVersion } });
}

async function deleteOthers(
  csv: DeepReadonly<ClusterServiceVersion>,
  deployments: readonly Deployment[],
  { client, live }: V0Context,
): Promise<void> {
  const { namespace } = csv.metadata;
  const names = new Set(deployments.map(({ metadata }) => metadata.name));
  const { items } = await live.list(Deployment, {
    namespace,
    labelSelector: { matchLabels: ownerLabels(csv) },
  });
  for (const { metadata } of items)
    if (!names.has(metadata.name)) await client.delete(Deployment, { name: metadata.name!, namespace });
}

/** An operator says in its OperatorCondition whether it may be upgraded. */
async function ensureCondition(
  csv: DeepReadonly<ClusterServiceVersion>,
  deployments: readonly Deployment[],
  context: V0Context,
): Promise<void> {
  const { name = '', namespace = '' } = csv.metadata;
  const accounts = deployments.map(({ spec }) => spec?.template.spec?.serviceAccountName ?? 'default');
  const owner = { ...ownerReference(csv), controller: true, blockOwnerDeletion: false };
  const metadata = { name, namespace, labels: managed, ownerReferences: [owner] };
  const apiVersion = 'rbac.authorization.k8s.io/v1' as const;
  await create(OperatorCondition, context, {
    apiVersion: 'operators.coreos.com/v2',
    kind: 'OperatorCondition',
    metadata,
    spec: {
      deployments: deployments.map((each) => each.metadata.name!),
      serviceAccounts: [...new Set(accounts)],
    },
  });
  await create(Role, context, {
    apiVersion,
    metadata,
    kind: 'Role',
    rules: [
      {
        apiGroups: ['operators.coreos.com'],
        resources: ['operatorconditions'],
        resourceNames: [name],
        verbs: ['get', 'update', 'patch'],
      },
    ],
  });
  await create(RoleBinding, context, {
    apiVersion,
    metadata,
    kind: 'RoleBinding',
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name },
    subjects: [...new Set(accounts)].map((account) => ({ kind: 'ServiceAccount', name: account, namespace })),
  });
}

/** The roles of an operator hold in every namespace that it watches. */
async function grant(
  csv: DeepReadonly<ClusterServiceVersion>,
  targets: readonly string[],
  context: V0Context,
): Promise<void> {
  const { namespace } = csv.metadata;
  const options = { namespace, labelSelector: { matchLabels: ownerLabels(csv) } };
  const roles = (await context.live.list(Role, options)).items;
  const bindings = (await context.live.list(RoleBinding, options)).items;
  for (const target of targets.filter((each) => each !== namespace)) {
    for (const { metadata, rules = [] } of roles)
      await (target === ''
        ? create(ClusterRole, context, {
            apiVersion: 'rbac.authorization.k8s.io/v1',
            kind: 'ClusterRole',
            metadata: { name: metadata.name!, labels: { ...metadata.labels } },
            rules: [
              ...thawed(rules),
              { apiGroups: [''], resources: ['namespaces'], verbs: ['get', 'list', 'watch'] },
            ],
          })
        : create(Role, context, {
            apiVersion: 'rbac.authorization.k8s.io/v1',
            kind: 'Role',
            metadata: copyOf(metadata, target),
            rules: thawed(rules),
          }));
    for (const { metadata, subjects = [] } of bindings)
      await (target === ''
        ? create(ClusterRoleBinding, context, {
            apiVersion: 'rbac.authorization.k8s.io/v1',
            kind: 'ClusterRoleBinding',
            metadata: { name: metadata.name!, labels: { ...metadata.labels } },
            roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: metadata.name! },
            subjects: thawed(subjects),
          })
        : create(RoleBinding, context, {
            apiVersion: 'rbac.authorization.k8s.io/v1',
            kind: 'RoleBinding',
            metadata: copyOf(metadata, target),
            roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: metadata.name! },
            subjects: thawed(subjects),
          }));
  }
}

function copyOf({ name, labels, namespace }: DeepReadonly<KubernetesObject['metadata']>, target: string) {
  return { name: name!, namespace: target, labels: { ...labels, 'olm.copiedFrom': namespace! } };
}

async function create<T extends KubernetesObject>(
  kind: Parameters<V0Context['client']['create']>[0] & { readonly __type?: T },
  { client }: V0Context,
  object: T,
): Promise<void> {
  await client.create(kind, { ...object }).catch((error: unknown) => {
    if (!isAlreadyExists(error)) throw error;
  });
}
