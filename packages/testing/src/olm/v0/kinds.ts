import type { Condition, KubernetesObject, ObjectMeta } from 'ots-kubernetes';
import { defineKind } from 'ots-kubernetes';
import type { DeploymentSpec } from 'ots-kubernetes/apps/v1';
import type { Container, ObjectReference, PodSpec } from 'ots-kubernetes/core/v1';
import type { PolicyRule } from 'ots-kubernetes/rbac/v1';

// The fields of OLM v0 that the simulation reads and writes.

interface Namespaced extends KubernetesObject {
  metadata: ObjectMeta;
}

export interface CatalogSource extends Namespaced {
  apiVersion: 'operators.coreos.com/v1alpha1';
  kind: 'CatalogSource';
  spec: {
    sourceType: string;
    priority?: number;
    configMap?: string;
    address?: string;
    image?: string;
    displayName?: string;
    publisher?: string;
    secrets?: string[];
    grpcPodConfig?: Record<string, unknown>;
    updateStrategy?: { registryPoll?: { interval?: string } };
  };
  status?: CatalogSourceStatus;
}

export interface CatalogSourceStatus {
  message?: string;
  reason?: string;
  connectionState?: { address?: string; lastObservedState: string; lastConnect?: string };
  registryService?: Record<string, unknown>;
  latestImageRegistryPoll?: string;
}

export const CatalogSource = defineKind<CatalogSource>({
  apiVersion: 'operators.coreos.com/v1alpha1',
  kind: 'CatalogSource',
  plural: 'catalogsources',
  scope: 'Namespaced',
});

export interface Subscription extends Namespaced {
  apiVersion: 'operators.coreos.com/v1alpha1';
  kind: 'Subscription';
  spec: {
    source: string;
    sourceNamespace: string;
    name: string;
    channel?: string;
    startingCSV?: string;
    installPlanApproval?: string;
    config?: SubscriptionConfig;
  };
  status?: SubscriptionStatus;
}

/** What a Subscription changes in the Deployments of its operator. */
export type SubscriptionConfig = Pick<PodSpec, 'nodeSelector' | 'tolerations' | 'volumes' | 'affinity'> &
  Pick<Container, 'env' | 'resources' | 'envFrom' | 'volumeMounts'>;

export interface SubscriptionStatus {
  currentCSV?: string;
  installedCSV?: string;
  installplan?: { apiVersion: string; kind: string; name: string; uuid: string };
  state?: string;
  reason?: string;
  installPlanGeneration?: number;
  installPlanRef?: ObjectReference;
  catalogHealth?: { catalogSourceRef: ObjectReference; healthy: boolean; lastUpdated: string }[];
  conditions?: SubscriptionCondition[];
  lastUpdated: string;
}

export interface SubscriptionCondition {
  type: string;
  status: 'True' | 'False' | 'Unknown';
  reason?: string;
  message?: string;
  lastTransitionTime?: string;
}

export const Subscription = defineKind<Subscription>({
  apiVersion: 'operators.coreos.com/v1alpha1',
  kind: 'Subscription',
  plural: 'subscriptions',
  scope: 'Namespaced',
});

export interface InstallPlan extends Namespaced {
  apiVersion: 'operators.coreos.com/v1alpha1';
  kind: 'InstallPlan';
  spec: {
    clusterServiceVersionNames: string[];
    approval: string;
    approved: boolean;
    generation?: number;
  };
  status?: InstallPlanStatus;
}

export interface InstallPlanStatus {
  phase: string;
  conditions?: InstallPlanCondition[];
  catalogSources: string[];
  plan?: InstallStep[];
  bundleLookups?: Record<string, unknown>[];
  attenuatedServiceAccountRef?: ObjectReference;
  startTime?: string;
  message?: string;
}

export interface InstallPlanCondition {
  type: string;
  status: 'True' | 'False' | 'Unknown';
  lastUpdateTime?: string;
  lastTransitionTime?: string;
  reason?: string;
  message?: string;
}

export interface InstallStep {
  resolving: string;
  resource: {
    name: string;
    kind: string;
    group: string;
    version: string;
    sourceName: string;
    sourceNamespace: string;
    manifest?: string;
  };
  optional?: boolean;
  status: string;
}

export const InstallPlan = defineKind<InstallPlan>({
  apiVersion: 'operators.coreos.com/v1alpha1',
  kind: 'InstallPlan',
  plural: 'installplans',
  scope: 'Namespaced',
});

export interface ClusterServiceVersion extends Namespaced {
  apiVersion: 'operators.coreos.com/v1alpha1';
  kind: 'ClusterServiceVersion';
  spec: {
    displayName: string;
    version?: string;
    replaces?: string;
    skips?: string[];
    minKubeVersion?: string;
    install: {
      strategy: string;
      spec?: {
        permissions?: PermissionsOfAccount[];
        clusterPermissions?: PermissionsOfAccount[];
        deployments?: { name: string; label?: Record<string, string>; spec: DeploymentSpec }[];
      };
    };
    installModes?: { type: string; supported: boolean }[];
    customresourcedefinitions?: { owned?: CrdDescription[]; required?: CrdDescription[] };
    apiservicedefinitions?: { owned?: ApiServiceDescription[]; required?: ApiServiceDescription[] };
    nativeAPIs?: { group: string; version: string; kind: string }[];
    webhookdefinitions?: WebhookDescription[];
    [field: string]: unknown;
  };
  status?: ClusterServiceVersionStatus;
}

export interface PermissionsOfAccount {
  serviceAccountName: string;
  rules: PolicyRule[];
}

interface CrdDescription {
  name: string;
  version: string;
  kind: string;
}

interface ApiServiceDescription {
  group: string;
  version: string;
  kind: string;
  name: string;
  deploymentName?: string;
}

export interface WebhookDescription {
  type: 'ValidatingAdmissionWebhook' | 'MutatingAdmissionWebhook' | 'ConversionWebhook';
  generateName: string;
  deploymentName?: string;
  containerPort?: number;
  targetPort?: number | string;
  webhookPath?: string;
  sideEffects: string;
  admissionReviewVersions: string[];
  conversionCRDs?: string[];
  [field: string]: unknown;
}

export interface ClusterServiceVersionStatus {
  phase?: string;
  message?: string;
  reason?: string;
  lastUpdateTime?: string;
  lastTransitionTime?: string;
  conditions?: PhaseCondition[];
  requirementStatus?: Requirement[];
  cleanup?: Record<string, unknown>;
  certsLastUpdated?: string;
  certsRotateAt?: string;
}

interface PhaseCondition {
  phase: string;
  message: string;
  reason: string;
  lastUpdateTime: string;
  lastTransitionTime: string;
}

export interface Requirement {
  group: string;
  version: string;
  kind: string;
  name: string;
  status: string;
  message: string;
  uuid?: string;
  dependents?: { group: string; version: string; kind: string; status: string; message?: string }[];
}

export const ClusterServiceVersion = defineKind<ClusterServiceVersion>({
  apiVersion: 'operators.coreos.com/v1alpha1',
  kind: 'ClusterServiceVersion',
  plural: 'clusterserviceversions',
  scope: 'Namespaced',
});

export interface OperatorGroup extends Namespaced {
  apiVersion: 'operators.coreos.com/v1';
  kind: 'OperatorGroup';
  spec?: {
    selector?: { matchLabels?: Record<string, string>; matchExpressions?: unknown[] };
    targetNamespaces?: string[];
    serviceAccountName?: string;
    upgradeStrategy?: string;
  };
  status?: {
    namespaces?: string[];
    serviceAccountRef?: ObjectReference;
    lastUpdated: string;
    conditions?: Condition[];
  };
}

export const OperatorGroup = defineKind<OperatorGroup>({
  apiVersion: 'operators.coreos.com/v1',
  kind: 'OperatorGroup',
  plural: 'operatorgroups',
  scope: 'Namespaced',
});

export interface OperatorCondition extends Namespaced {
  apiVersion: 'operators.coreos.com/v2';
  kind: 'OperatorCondition';
  spec?: {
    serviceAccounts?: string[];
    deployments?: string[];
    conditions?: Condition[];
    overrides?: Condition[];
  };
  status?: { conditions?: Condition[] };
}

export const OperatorCondition = defineKind<OperatorCondition>({
  apiVersion: 'operators.coreos.com/v2',
  kind: 'OperatorCondition',
  plural: 'operatorconditions',
  scope: 'Namespaced',
});

/** The kind `Operator`: what belongs to an operator. The simulation only defines it. */
export const OperatorSummary = defineKind({
  apiVersion: 'operators.coreos.com/v1',
  kind: 'Operator',
  plural: 'operators',
  scope: 'Cluster',
});

export const OlmConfig = defineKind({
  apiVersion: 'operators.coreos.com/v1',
  kind: 'OLMConfig',
  plural: 'olmconfigs',
  scope: 'Cluster',
});
