import type { KubernetesObject } from 'ots-kubernetes';
import type { Bundle } from '../../content/bundle.ts';
import type { Property } from '../../content/catalog.ts';
import { hashOf } from '../../hash.ts';
import type { CatalogKey } from '../catalogs/connections.ts';
import type { ClusterServiceVersion, InstallStep, PermissionsOfAccount } from '../kinds.ts';

/** Where a bundle is installed, and from where it comes. */
export interface StepOptions {
  readonly namespace: string;
  readonly catalog: CatalogKey;
  readonly replaces: string | undefined;
  readonly properties: readonly Property[];
}

/** The kind that OLM uses for Secrets of bundles: those of catalogs have the kind Secret. */
export const bundleSecret = 'BundleSecret';

/** The longest name that OLM generates. */
const maxNameLength = 63;

/**
 * The steps that install a bundle: its ClusterServiceVersion, its objects, and the ServiceAccounts and roles that the ClusterServiceVersion
 * asks for.
 */
export function stepsOf({ csv, objects }: Bundle, options: StepOptions): InstallStep[] {
  const version = placed(csv, options);
  const all = [version, ...objects, ...accessOf(version)];
  return all.map((object) => stepOf(object, version.metadata.name!, options.catalog));
}

/** CRDs come before what is not one, and ClusterServiceVersions before all others, as OLM orders them. */
export function orderedSteps(steps: readonly InstallStep[]): InstallStep[] {
  return steps.toSorted((a, b) => rankOf(a) - rankOf(b));
}

function rankOf({ resource: { kind } }: InstallStep): number {
  return kind === 'ClusterServiceVersion' ? 0 : kind === 'CustomResourceDefinition' ? 1 : 2;
}

/** A step that creates an object. */
export function stepOf(object: KubernetesObject, resolving: string, catalog: CatalogKey): InstallStep {
  const [group, version] = object.apiVersion.includes('/')
    ? object.apiVersion.split('/')
    : ['', object.apiVersion];
  return {
    resolving,
    resource: {
      group: group!,
      version: version!,
      kind: object.kind === 'Secret' ? bundleSecret : object.kind,
      name: object.metadata.name ?? object.metadata.generateName ?? '',
      manifest: JSON.stringify(object),
      sourceName: catalog.name,
      sourceNamespace: catalog.namespace,
    },
    status: 'Unknown',
  };
}

/** The ClusterServiceVersion as it is created. */
function placed(
  csv: ClusterServiceVersion,
  { namespace, replaces, properties }: StepOptions,
): ClusterServiceVersion {
  const { replaces: _, ...spec } = csv.spec;
  return {
    ...csv,
    metadata: {
      ...csv.metadata,
      namespace,
      annotations: {
        ...csv.metadata.annotations,
        'operatorframework.io/properties': JSON.stringify({ properties }),
      },
    },
    spec: { ...spec, ...(replaces !== undefined && { replaces }) },
  };
}

/** The ServiceAccounts and roles that a ClusterServiceVersion asks for. */
function accessOf(csv: ClusterServiceVersion): KubernetesObject[] {
  const { permissions = [], clusterPermissions = [] } = csv.spec.install.spec ?? {};
  const accounts = new Set([...permissions, ...clusterPermissions].map((each) => each.serviceAccountName));
  return [...accounts].flatMap((name) => [
    ...(name === 'default' ? [] : [account(name, csv)]),
    ...permissions.filter((each) => each.serviceAccountName === name).flatMap((each) => roles(each, csv)),
    ...clusterPermissions
      .filter((each) => each.serviceAccountName === name)
      .flatMap((each) => clusterRoles(each, csv)),
  ]);
}

/** The labels of what belongs to a ClusterServiceVersion and is not deleted with it by the garbage collector. */
export function ownerLabels({
  metadata,
}: {
  metadata: { name?: string; namespace?: string };
}): Record<string, string> {
  return {
    'olm.owner': metadata.name!,
    'olm.owner.kind': 'ClusterServiceVersion',
    'olm.owner.namespace': metadata.namespace!,
  };
}

/** The owner reference gets its UID when the object is created: until then the owner does not exist. */
const ownedBy = ({ apiVersion, kind, metadata }: ClusterServiceVersion) => [
  { apiVersion, kind, name: metadata.name!, uid: '', blockOwnerDeletion: false, controller: false },
];

function account(name: string, csv: ClusterServiceVersion): KubernetesObject {
  const { namespace } = csv.metadata;
  return {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name, namespace: namespace!, ownerReferences: ownedBy(csv) },
  };
}

function roles(permission: PermissionsOfAccount, csv: ClusterServiceVersion): KubernetesObject[] {
  const { name, namespace } = csv.metadata;
  const generated = generatedName(`${name}-${permission.serviceAccountName}`, { name, permission });
  const metadata = { name: generated, namespace: namespace!, ownerReferences: ownedBy(csv) };
  return boundRole('', metadata, permission, csv);
}

function clusterRoles(permission: PermissionsOfAccount, csv: ClusterServiceVersion): KubernetesObject[] {
  const { name, namespace } = csv.metadata;
  return boundRole(
    'Cluster',
    { name: generatedName(name!, { name, namespace, permission }) },
    permission,
    csv,
  );
}

function boundRole(
  scope: '' | 'Cluster',
  metadata: KubernetesObject['metadata'] & { name: string },
  { rules, serviceAccountName }: PermissionsOfAccount,
  csv: ClusterServiceVersion,
): KubernetesObject[] {
  const apiVersion = 'rbac.authorization.k8s.io/v1';
  const labeled = (content: unknown) => ({
    ...metadata,
    labels: { ...ownerLabels(csv), 'olm.permissions.hash': hashOf(content) },
  });
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: `${scope}Role`, name: metadata.name };
  const subjects = [{ kind: 'ServiceAccount', name: serviceAccountName, namespace: csv.metadata.namespace! }];
  const role = { apiVersion, kind: `${scope}Role`, metadata: labeled(rules), rules };
  const bindingMetadata = labeled({ roleRef, subjects });
  const binding = { apiVersion, kind: `${scope}RoleBinding`, metadata: bindingMetadata, roleRef, subjects };
  return [role, binding];
}

function generatedName(base: string, content: unknown): string {
  const hash = hashOf(content);
  return `${base.slice(0, maxNameLength - hash.length - 1)}-${hash}`;
}
