import type { ObjectMeta } from 'ots-kubernetes';
import type { ValidatingWebhook } from 'ots-kubernetes/admissionregistration/v1';
import type { DeploymentSpec } from 'ots-kubernetes/apps/v1';
import type { PolicyRule } from 'ots-kubernetes/rbac/v1';

/** A ClusterServiceVersion whose fields have the right types. What the author left out is absent. */
export interface Csv {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: ObjectMeta;
  readonly spec?: CsvSpec;
}

/** The `spec` of a ClusterServiceVersion. */
interface CsvSpec {
  readonly install?: InstallStrategy;
  /** As the author wrote it: a semantic version, perhaps with a `v` or without its last parts. */
  readonly version?: string;
  readonly release?: string;
  readonly maturity?: string;
  readonly customresourcedefinitions?: ApiDescriptions;
  readonly apiservicedefinitions?: ApiDescriptions;
  readonly webhookdefinitions?: readonly WebhookDescription[];
  readonly minKubeVersion?: string;
  readonly displayName?: string;
  readonly description?: string;
  readonly keywords?: readonly string[];
  readonly maintainers?: readonly { readonly name?: string; readonly email?: string }[];
  readonly provider?: Link;
  readonly links?: readonly Link[];
  readonly icon?: readonly { readonly base64data?: string; readonly mediatype?: string }[];
  readonly installModes?: readonly { readonly type?: string; readonly supported?: boolean }[];
  readonly replaces?: string;
  readonly skips?: readonly string[];
  readonly relatedImages?: readonly { readonly name?: string; readonly image?: string }[];
}

/** How OLM installs the operator. */
interface InstallStrategy {
  readonly strategy?: string;
  readonly spec?: {
    readonly deployments?: readonly DeploymentDescription[];
    readonly permissions?: readonly Permissions[];
    readonly clusterPermissions?: readonly Permissions[];
  };
}

/** A Deployment that OLM creates. */
export interface DeploymentDescription {
  readonly name?: string;
  readonly label?: Readonly<Record<string, string>>;
  readonly spec?: Partial<DeploymentSpec>;
}

/** The rights of a service account. */
export interface Permissions {
  readonly serviceAccountName?: string;
  readonly rules?: readonly Partial<PolicyRule>[];
}

/** The APIs that an operator serves, and those that it needs. */
interface ApiDescriptions {
  readonly owned?: readonly ApiDescription[];
  readonly required?: readonly ApiDescription[];
}

/** One version of a kind. */
export interface ApiDescription {
  /** Of a CRD: `<plural>.<group>`. */
  readonly name?: string;
  /** Of an API service. */
  readonly group?: string;
  readonly version?: string;
  readonly kind?: string;
  readonly description?: string;
  readonly resources?: readonly {
    readonly name?: string;
    readonly kind?: string;
    readonly version?: string;
  }[];
  readonly specDescriptors?: readonly Descriptor[];
  readonly statusDescriptors?: readonly Descriptor[];
}

/** How a console shows a field. */
interface Descriptor {
  readonly path?: string;
}

/** A webhook that OLM creates. */
export interface WebhookDescription extends Pick<
  Partial<ValidatingWebhook>,
  | 'rules'
  | 'failurePolicy'
  | 'matchPolicy'
  | 'objectSelector'
  | 'sideEffects'
  | 'timeoutSeconds'
  | 'admissionReviewVersions'
> {
  readonly generateName?: string;
  readonly type?: string;
  readonly deploymentName?: string;
  readonly containerPort?: number;
  readonly targetPort?: number | string;
  readonly reinvocationPolicy?: string;
  readonly webhookPath?: string;
  readonly conversionCRDs?: readonly string[];
}

interface Link {
  readonly name?: string;
  readonly url?: string;
}
