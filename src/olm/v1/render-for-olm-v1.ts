import type { BundleFiles } from '../bundle/bundle-files.ts';
import { type JsonObject, isObject } from '../bundle/json.ts';
import { namespacedByKind } from '../bundle/supported-kinds.ts';
import { type CertificateProvider, renderCertificates } from './certificates.ts';
import { type Refusal, type Rule, checkBundle, checkConvertedCrds, supportedModes } from './check-bundle.ts';
import { checkSupport } from './check-support.ts';
import { type DeploymentConfig, readConfiguration } from './configuration.ts';
import { readRegistryV1 } from './read-registry-v1.ts';
import { type RegistryV1, UnreadableBundleError } from './registry-v1.ts';
import { renderCrd } from './render-crd.ts';
import { renderDeployments } from './render-deployments.ts';
import { renderRoles, renderServiceAccounts } from './render-roles.ts';
import { renderServices, renderWebhooks } from './render-webhooks.ts';

/** How a ClusterExtension installs a bundle, and what OLM v1 has enabled. */
export interface RenderOptions {
  /** The namespace of the operator. */
  readonly namespace: string;
  /** Who makes the certificates of webhooks; `none` where OLM v1 refuses webhooks. */
  readonly certificates: CertificateProvider | 'none';
  /** Whether operators may support OwnNamespace or SingleNamespace only: the gate SingleOwnNamespaceInstallSupport. */
  readonly singleOwnNamespace: boolean;
  /** Whether users may change Deployments: the gate DeploymentConfig. */
  readonly deploymentConfig: boolean;
  /** The inline configuration of the ClusterExtension; undefined for none. */
  readonly configuration?: unknown;
}

/** What parts of a bundle are rendered with. */
export interface RenderContext extends Pick<RenderOptions, 'namespace' | 'certificates'> {
  /** The namespaces that the operator watches: an empty one stands for all. */
  readonly targets: readonly string[];
  readonly config: DeploymentConfig;
}

/** What OLM v1 does with a bundle: it applies objects, or refuses the bundle. */
export type Rendering =
  | { readonly objects: readonly JsonObject[] }
  | { readonly refusals: readonly Refusal[] };

/**
 * Renders the bundle that some files are as OLM v1 does for a ClusterExtension. Source: the manifest provider for registry+v1 of
 * operator-controller.
 */
export function renderForOlmV1(files: BundleFiles, options: RenderOptions): Rendering {
  try {
    return render(readRegistryV1(files), options);
  } catch (error) {
    if (!(error instanceof UnreadableBundleError)) throw error;
    return refused('unreadable', error.message, error.file);
  }
}

function refused(rule: Rule, detail: string, file?: string): Rendering {
  return { refusals: [{ rule, subject: '', detail, ...(file !== undefined && { file }) }] };
}

/** As OLM v1 does, it stops at the first step that refuses the bundle. */
function render(bundle: RegistryV1, options: RenderOptions): Rendering {
  const [unsupported] = checkSupport(bundle, options);
  if (unsupported) return { refusals: [unsupported] };
  const modes = supportedModes(bundle.csv);
  const isChecked = options.singleOwnNamespace || options.configuration !== undefined;
  const configuration = isChecked
    ? readConfiguration(options.configuration, {
        modes,
        installNamespace: options.namespace,
        allowsDeploymentConfig: options.deploymentConfig,
      })
    : {};
  if ('problems' in configuration) {
    const { problems } = configuration;
    return { refusals: problems.map((detail) => ({ rule: 'configuration', subject: '', detail })) };
  }
  const refusals = checkBundle(bundle);
  if (refusals.length > 0) return { refusals };
  const { watchNamespace, deploymentConfig: config = {} } = configuration;
  const targets = watchNamespace === undefined ? defaultTargets(modes) : [watchNamespace];
  const problem = targetProblem(targets, modes, options.namespace);
  if (problem !== undefined) return refused('configuration', problem);
  const [keptFields] = checkConvertedCrds(bundle);
  if (keptFields) return { refusals: [keptFields] };
  const { namespace, certificates } = options;
  return { objects: objectsOf(bundle, { namespace, certificates, targets, config }) };
}

function defaultTargets(modes: ReadonlySet<string>): string[] {
  return modes.has('AllNamespaces') ? [''] : [];
}

function targetProblem(
  [target]: readonly string[],
  modes: ReadonlySet<string>,
  installNamespace: string,
): string | undefined {
  if (target === undefined) return 'the operator does not watch all namespaces: watchNamespace is missing';
  if (target === '') return undefined;
  const mode = target === installNamespace ? 'OwnNamespace' : 'SingleNamespace';
  return modes.has(mode) ? undefined : `the operator does not support ${mode}`;
}

function objectsOf(bundle: RegistryV1, context: RenderContext): JsonObject[] {
  const { csv, crds, others } = bundle;
  return [
    ...renderServiceAccounts(csv, context),
    ...renderRoles(csv, context),
    ...crds.map(({ object }) => renderCrd(object, csv, context)),
    ...others.map(({ object, kind }) => placed(object, kind, context)),
    ...renderDeployments(csv, context),
    ...renderWebhooks(csv, context),
    ...renderServices(csv, context),
    ...renderCertificates(csv, context),
  ];
}

/** An object as its author wrote it, in the namespace of the operator. */
function placed(object: JsonObject, kind: string, { namespace }: RenderContext): JsonObject {
  if (namespacedByKind.get(kind) !== true) return object;
  const { metadata = {} } = object;
  return isObject(metadata) ? { ...object, metadata: { ...metadata, namespace } } : object;
}
