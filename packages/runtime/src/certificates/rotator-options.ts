import { UsageError } from '../errors/usage-error.ts';

/**
 * Serving certificates without cert-manager: the operator issues and renews an authority and a certificate, and keeps
 * them in a Secret that all of its replicas use. It writes the authority to the webhook configurations and CRDs, and
 * writes it again when something resets it there.
 *
 * The authority is valid for ten years and the certificate for one; each is renewed after two thirds of that. A new
 * authority is trusted one minute before replicas serve a certificate that it signed, and the old authority stays
 * trusted for one more day, so no call fails. Deleting the Secret while the operator runs renews both in this way.
 *
 * Every replica checks the Secret and the metadata of each configuration and CRD every ten seconds.
 *
 * The operator needs these permissions; `create` is only for a Secret that does not exist yet (an empty one is enough):
 *
 *     rbac groups="" resources=secrets namespace=<namespace> verbs=create
 *     rbac groups="" resources=secrets namespace=<namespace> resourceNames=<secretName> verbs=get;update
 *     rbac groups=admissionregistration.k8s.io resources=validatingwebhookconfigurations resourceNames=<…> verbs=get;patch
 *     rbac groups=admissionregistration.k8s.io resources=mutatingwebhookconfigurations resourceNames=<…> verbs=get;patch
 *     rbac groups=apiextensions.k8s.io resources=customresourcedefinitions resourceNames=<…> verbs=get;patch
 */
export interface RotatorOptions {
  /** The Secret. If it contains other data, the operator does not change it and startup fails. */
  secretName: string;
  /** The namespace of the Secret and of the Service; the namespace of the connection by default, which in a pod is the pod's. */
  namespace?: string | undefined;
  /** The Service through which the API server reaches the webhooks; the certificate covers its names. None by default. */
  serviceName?: string | undefined;
  /** More DNS names and IP addresses for the certificate, for webhook configurations with a `url`. None by default. */
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

/** Options whose namespace is known. */
export type CompleteRotatorOptions = RotatorOptions & { namespace: string };

/**
 * Adds the defaults to the options.
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
