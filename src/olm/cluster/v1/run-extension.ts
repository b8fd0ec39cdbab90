import { type UnstructuredObject, NoKindMatchError } from 'ots-runtime';
import { applyInOrder } from '../../../deploy/apply-in-order.ts';
import type { Cluster } from '../../../deploy/cluster.ts';
import { diffInOrder } from '../../../deploy/diff-in-order.ts';
import { explainError } from '../../../deploy/explain-error.ts';
import type { Deadline } from '../../../deploy/poll.ts';
import type { Progress } from '../../../deploy/progress.ts';
import { untilAvailable } from '../../../deploy/until-available.ts';
import { OtsError } from '../../../errors/ots-error.ts';
import { oneLine } from '../../../output/one-line.ts';
import type { Bundle } from '../../bundle/bundle.ts';
import { managedLabel, namesFor } from '../catalog-objects.ts';
import { requireNamespace } from '../check-namespace.ts';
import { isManaged } from '../installed.ts';
import { ClusterCatalog, ClusterExtension } from '../kinds.ts';
import { bundlePlaces } from '../observe.ts';
import { orUndo } from '../or-undo.ts';
import { listOf } from '../requests.ts';
import { removeExtensions } from './remove-extensions.ts';
import { untilExtensionInstalled, untilServing } from './until-extension-installed.ts';

/** How to run a bundle with OLM v1. */
export interface ExtensionOptions {
  readonly namespace: string;
  /** Of a catalog that has the bundle. */
  readonly catalogImage: string;
  /** Older versions of OLM v1 need one. */
  readonly serviceAccount?: string | undefined;
  readonly deadline: Deadline;
  readonly progress: Progress;
  /** Keeps what a failed run has created. Default: false. */
  readonly keep?: boolean | undefined;
  /** Checks, reports what would be applied, and changes nothing. Default: false. */
  readonly dryRun?: boolean | undefined;
  /** For what a failed run leaves to do; aborts when the user does not want to wait for it. */
  readonly undoSignal: () => AbortSignal;
  /** Learns that a failed run has deleted what it had created. */
  readonly onUndone: () => void;
}

/**
 * Installs a bundle with OLM v1, from a catalog in an image, and waits until its Deployments are available, which OLM v1 itself does not.
 *
 * @throws OtsError of the checks, before anything changes: `NO_OLM`, `NO_NAMESPACE`, `NO_CERT_MANAGER`, `INSTALL_MODE`,
 *   `ALREADY_INSTALLED`; `NOT_SERVING` for the catalog, `NOT_INSTALLED` for the extension, `NOT_AVAILABLE` for a Deployment
 */
export async function runExtension(
  cluster: Cluster,
  bundle: Bundle,
  options: ExtensionOptions,
): Promise<void> {
  await check(cluster, bundle, options);
  const [existing] = await extensionsOf(cluster, bundle.package);
  if (existing)
    throw new OtsError(
      'ALREADY_INSTALLED',
      `The ClusterExtension ${existing.metadata.name} already installs ${oneLine(bundle.package)}`,
      { hint: 'Upgrade it with ots run bundle-upgrade --v1, or remove it with ots cleanup --v1.' },
    );
  if (options.dryRun) return report(cluster, bundle, options);
  const undo = (undoCluster: Cluster, deadline: Deadline) =>
    removeExtensions(undoCluster, bundle.package, { deadline, progress: options.progress });
  await orUndo(cluster, { ...options, packageName: bundle.package, undo }, () =>
    apply(cluster, bundle, options),
  );
}

/**
 * Upgrades an operator that {@link runExtension} installed, with a newer catalog. OLM v1 has no way back, so a failed upgrade leaves what
 * there is.
 *
 * @throws OtsError `NOT_RUN` if the operator was not installed by ots, and those of {@link runExtension}
 */
export async function upgradeExtension(
  cluster: Cluster,
  bundle: Bundle,
  options: ExtensionOptions,
): Promise<void> {
  await check(cluster, bundle, options);
  const [existing] = await extensionsOf(cluster, bundle.package);
  if (!existing || !isManaged(existing))
    throw new OtsError(
      'NOT_RUN',
      existing
        ? `The ClusterExtension ${existing.metadata.name} is not one of ots`
        : `${oneLine(bundle.package)} is not installed`,
      { hint: 'ots upgrades only what ots run bundle --v1 installed: run that first.' },
    );
  if (options.dryRun) return report(cluster, bundle, options);
  await apply(cluster, bundle, options);
}

async function check(cluster: Cluster, { csv }: Bundle, { namespace }: ExtensionOptions): Promise<void> {
  if (!(await listOf(cluster, ClusterExtension)))
    throw new OtsError(
      'NO_OLM',
      'The cluster does not have version 1 of the Operator Lifecycle Manager (OLM)',
      {
        hint: 'Install it with ots olm install --v1, or use OLM v0 without --v1.',
      },
    );
  await requireNamespace(cluster, namespace);
  const { installModes = [], webhookdefinitions = [] } = csv?.csv.spec ?? {};
  if (!installModes.some(({ type, supported }) => type === 'AllNamespaces' && supported))
    throw new OtsError(
      'INSTALL_MODE',
      `${oneLine(csv?.csv.metadata?.name ?? '')} does not support AllNamespaces`,
      {
        hint: 'Support it in spec.installModes of the ClusterServiceVersion, or use OLM v0 without --v1.',
      },
    );
  if (webhookdefinitions.length > 0) await requireCertManager(cluster);
}

/** OLM v1 lets cert-manager make the certificates of webhooks. */
async function requireCertManager({ client, signal }: Cluster): Promise<void> {
  try {
    await client.mapper.kindFor('cert-manager.io/v1', 'Certificate', { signal });
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof NoKindMatchError)) throw explainError(error);
    throw new OtsError(
      'NO_CERT_MANAGER',
      'The bundle has webhooks, and the cluster does not have cert-manager',
      {
        hint: 'Install cert-manager: OLM v1 needs it for the certificates of webhooks.',
      },
    );
  }
}

async function extensionsOf(cluster: Cluster, packageName: string) {
  const all = (await listOf(cluster, ClusterExtension)) ?? [];
  return all.filter(({ spec }) => spec.source.catalog?.packageName === packageName);
}

async function report(cluster: Cluster, bundle: Bundle, options: ExtensionOptions): Promise<void> {
  const { namespace, progress } = options;
  await diffInOrder(cluster, [catalogOf(bundle, options), extensionOf(bundle, options)], {
    namespace,
    progress,
  });
}

async function apply(cluster: Cluster, bundle: Bundle, options: ExtensionOptions): Promise<void> {
  const { namespace, deadline, progress } = options;
  const names = namesFor(bundle.package);
  const into = { namespace, deadline, progress };
  await applyInOrder(cluster, [catalogOf(bundle, options)], into);
  await untilServing(cluster, names.catalog, options);
  try {
    await applyInOrder(cluster, [extensionOf(bundle, options)], into);
  } catch (error) {
    throw withAccountHint(error);
  }
  await untilExtensionInstalled(cluster, names.subscription, bundle.name, options);
  for (const { name = '' } of bundle.csv?.csv.spec?.install?.spec?.deployments ?? []) {
    const deployment = { apiVersion: 'apps/v1', kind: 'Deployment', namespace, name };
    await untilAvailable(cluster, deployment, { deadline, progress, places: bundlePlaces });
  }
}

function withAccountHint(error: unknown): unknown {
  if (!(error instanceof OtsError) || !/serviceAccount/.test(error.message)) return error;
  return new OtsError(error.code, error.message, {
    hint: 'This version of OLM v1 installs with the rights of a ServiceAccount: create it, and name it with --service-account.',
    cause: error,
  });
}

function catalogOf(bundle: Bundle, { catalogImage: ref }: ExtensionOptions): UnstructuredObject {
  return {
    apiVersion: ClusterCatalog.apiVersion,
    kind: ClusterCatalog.kind,
    metadata: { name: namesFor(bundle.package).catalog, labels: { ...managedLabel } },
    spec: { source: { type: 'Image', image: { ref } } },
  };
}

/** Of the catalog that ots made, whatever other catalogs have. */
function extensionOf(
  bundle: Bundle,
  { namespace, serviceAccount: name }: ExtensionOptions,
): UnstructuredObject {
  const names = namesFor(bundle.package);
  const version = bundle.csv?.csv.spec?.version;
  return {
    apiVersion: ClusterExtension.apiVersion,
    kind: ClusterExtension.kind,
    metadata: { name: names.subscription, labels: { ...managedLabel } },
    spec: {
      namespace,
      ...(name !== undefined && { serviceAccount: { name } }),
      source: {
        sourceType: 'Catalog',
        catalog: {
          packageName: bundle.package,
          ...(version !== undefined && { version }),
          selector: { matchLabels: { 'olm.operatorframework.io/metadata.name': names.catalog } },
        },
      },
    },
  };
}
