import type { originKey, RuleOrigin } from '../schema/origin.ts';

/**
 * The part of admissionregistration.k8s.io/v1 {Mutating,Validating}WebhookConfiguration that ots generates.
 */
export interface WebhookConfiguration {
  readonly apiVersion: 'admissionregistration.k8s.io/v1';
  readonly kind: 'MutatingWebhookConfiguration' | 'ValidatingWebhookConfiguration';
  readonly metadata: { readonly name: string };
  readonly webhooks: readonly Webhook[];
}

export interface Webhook {
  name: string;
  admissionReviewVersions?: string[];
  clientConfig?: {
    url?: string;
    caBundle?: string;
    service?: { name?: string; namespace?: string; path?: string; port?: number };
  };
  rules?: WebhookRule[];
  failurePolicy?: string;
  matchPolicy?: string;
  sideEffects?: string;
  timeoutSeconds?: number;
  reinvocationPolicy?: string;
  namespaceSelector?: LabelSelector;
  objectSelector?: LabelSelector;
  matchConditions?: MatchCondition[];
}

export interface WebhookRule {
  apiGroups?: string[];
  apiVersions?: string[];
  operations?: string[];
  resources?: string[];
  scope?: string;
}

export interface LabelSelector {
  matchLabels?: Record<string, string>;
  matchExpressions?: { key?: string; operator?: string; values?: string[] }[];
}

/** A CEL expression that decides whether the API server calls the webhook. */
export interface MatchCondition {
  name?: string;
  expression?: string;
  /** `spanOf` accepts `name` and `expression`. */
  [originKey]?: RuleOrigin;
}
