import type { Csv, Permissions } from '../bundle/csv.ts';
import type { JsonObject } from '../bundle/json.ts';
import { roleName, serviceAccountOf } from './names.ts';
import type { RenderContext } from './render-for-olm-v1.ts';
import { typedObject } from './typed-object.ts';

const rbac = 'rbac.authorization.k8s.io';

/** The service accounts that have rights. Every namespace has one named `default`. */
export function renderServiceAccounts({ spec }: Csv, { namespace }: RenderContext): JsonObject[] {
  const { permissions = [], clusterPermissions = [] } = spec?.install?.spec ?? {};
  const names = new Set([...permissions, ...clusterPermissions].map(serviceAccountOf));
  names.delete('default');
  return [...names].map((name) => typedObject('v1', 'ServiceAccount', { metadata: { name, namespace } }));
}

/** Roles in the namespaces that the operator watches. Where these are all, rights in a namespace become rights in the cluster. */
export function renderRoles(csv: Csv, context: RenderContext): JsonObject[] {
  const { permissions = [], clusterPermissions = [] } = csv.spec?.install?.spec ?? {};
  const { targets } = context;
  const isGlobal = targets.length === 1 && targets[0] === '';
  const name = csv.metadata?.name ?? '';
  return [
    ...(isGlobal ? [] : targets).flatMap((target) =>
      permissions.flatMap((each) => roleAndBinding(name, each, context, target)),
    ),
    ...[...clusterPermissions, ...(isGlobal ? permissions.map(withNamespaces) : [])].flatMap((each) =>
      roleAndBinding(name, each, context),
    ),
  ];
}

/** Who watches all namespaces may need to know them. */
function withNamespaces(permissions: Permissions): Permissions {
  const namespaces = { verbs: ['get', 'list', 'watch'], apiGroups: [''], resources: ['namespaces'] };
  return { ...permissions, rules: [...(permissions.rules ?? []), namespaces] };
}

/** @param target the namespace of a Role; without one it is a ClusterRole */
function roleAndBinding(
  csvName: string,
  permissions: Permissions,
  { namespace }: RenderContext,
  target?: string,
): JsonObject[] {
  const kind = target === undefined ? 'ClusterRole' : 'Role';
  const name = roleName(csvName, permissions);
  const metadata = { name, ...(target !== undefined && { namespace: target }) };
  const subject = { kind: 'ServiceAccount', name: serviceAccountOf(permissions), namespace };
  return [
    typedObject(`${rbac}/v1`, kind, { metadata, rules: permissions.rules }),
    typedObject(`${rbac}/v1`, `${kind}Binding`, {
      metadata,
      subjects: [subject],
      roleRef: { apiGroup: rbac, kind, name },
    }),
  ];
}
