import { UsageError } from '../errors/usage-error.ts';

/**
 * Serving certificates without cert-manager: an authority and a certificate that the operator issues, renews and keeps
 * in a Secret, from which all of its replicas serve. The authority is written into the webhook configurations and CRDs,
 * again whenever it is reset there.
 *
 * The authority is valid for ten years and the certificate for one; each is renewed after two thirds of that. A new
 * authority is trusted one minute before the first certificate that it signed is served, and the old one for one more
 * day: no call fails. Deleting the Secret while the operator runs renews both in this way.
 *
 * Every replica checks the Secret and the metadata of each configuration and CRD every ten seconds.
 *
 * The operator needs these rights, where `create` is only for a Secret that does not exist beforehand (an empty one is enough):
 *
 *     rbac groups="" resources=secrets namespace=<namespace> verbs=create
 *     rbac groups="" resources=secrets namespace=<namespace> resourceNames=<secretName> verbs=get;update
 *     rbac groups=admissionregistration.k8s.io resources=validatingwebhookconfigurations resourceNames=<…> verbs=get;patch
 *     rbac groups=admissionregistration.k8s.io resources=mutatingwebhookconfigurations resourceNames=<…> verbs=get;patch
 *     rbac groups=apiextensions.k8s.io resources=customresourcedefinitions resourceNames=<…> verbs=get;patch
 */
export interface RotatorOptions {
  /** The Secret. If it contains something else, it is left alone and startup fails. */
  secretName: string;
  /** The namespace of the Secret and of the Service; by default that of the connection, which in a pod is the pod's own. */
  namespace?: string | undefined;
  /** The Service through which the API server reaches the webhooks; its names are served. None by default. */
  serviceName?: string | undefined;
  /** Further DNS names and IP addresses to serve; for webhook configurations with a `url`. None by default. */
  dnsNames?: readonly string[] | undefined;
  /** Names of ValidatingWebhookConfigurations, whose webhooks all receive the authority; none by default. */
  validatingWebhookConfigurations?: readonly string[] | undefined;
  /** Names of MutatingWebhookConfigurations, whose webhooks all receive the authority; none by default. */
  mutatingWebhookConfigurations?: readonly string[] | undefined;
  /**
   * Names of CustomResourceDefinitions with a conversion webhook, such as `myapps.example.com`; by default those of the
   * kinds that a ConversionBuilder converts.
   */
  customResourceDefinitions?: readonly string[] | undefined;
}

/** What the manager knows about the certificates that its webhooks need. */
export interface RotatorDefaults {
  namespace: string | undefined;
  customResourceDefinitions: readonly string[];
}

/** Options with a namespace. */
export type CompleteRotatorOptions = RotatorOptions & { namespace: string };

/**
 * The options with their defaults.
 * @throws {UsageError} when the namespace is unknown.
 */
export function completeRotatorOptions(
  options: RotatorOptions,
  defaults: RotatorDefaults | undefined,
): CompleteRotatorOptions {
  const namespace = options.namespace ?? defaults?.namespace;
  if (!namespace) {
    throw new UsageError(
      'The namespace of the Secret for the serving certificate is unknown outside of a pod',
      'Pass webhooks.rotator.namespace, or set a namespace in the context of the kubeconfig.',
    );
  }
  const { customResourceDefinitions = defaults?.customResourceDefinitions } = options;
  return { ...options, namespace, customResourceDefinitions };
}
