import { type Condition, type KubernetesObject, type ObjectMeta, defineKind } from 'ots-kubernetes';
import type { Csv } from '../bundle/csv.ts';

// The fields of OLM v0 that commands read and write. What OLM writes may be absent.

const group = 'operators.coreos.com';

/** An object in a namespace. */
interface Namespaced extends KubernetesObject {
  metadata: ObjectMeta;
}

/** A condition as OLM v0 writes it. */
export interface OlmCondition {
  type: string;
  status: string;
  reason?: string;
  message?: string;
}

/** Where OLM reads a catalog. */
export interface CatalogSource extends Namespaced {
  spec: { sourceType: string; address?: string; image?: string; displayName?: string; publisher?: string };
  status?: {
    message?: string;
    reason?: string;
    connectionState?: { address?: string; lastObservedState?: string };
  };
}
export const CatalogSource = defineKind<CatalogSource>({
  apiVersion: `${group}/v1alpha1`,
  kind: 'CatalogSource',
  plural: 'catalogsources',
  scope: 'Namespaced',
});

/** The wish for an operator. */
export interface Subscription extends Namespaced {
  spec: {
    source: string;
    sourceNamespace: string;
    name: string;
    channel?: string;
    startingCSV?: string;
    installPlanApproval?: string;
  };
  status?: {
    state?: string;
    currentCSV?: string;
    installedCSV?: string;
    installPlanRef?: { name?: string };
    conditions?: OlmCondition[];
  };
}
export const Subscription = defineKind<Subscription>({
  apiVersion: `${group}/v1alpha1`,
  kind: 'Subscription',
  plural: 'subscriptions',
  scope: 'Namespaced',
});

/** What OLM creates for an operator. */
export interface InstallPlan extends Namespaced {
  spec: { clusterServiceVersionNames?: string[]; approval?: string; approved: boolean };
  status?: {
    phase?: string;
    message?: string;
    conditions?: OlmCondition[];
    plan?: {
      resolving?: string;
      status?: string;
      resource?: { group?: string; version?: string; kind?: string; name?: string };
    }[];
  };
}
export const InstallPlan = defineKind<InstallPlan>({
  apiVersion: `${group}/v1alpha1`,
  kind: 'InstallPlan',
  plural: 'installplans',
  scope: 'Namespaced',
});

/** An operator that OLM installs or has installed. */
export interface ClusterServiceVersion extends Namespaced {
  spec: NonNullable<Csv['spec']>;
  status?: {
    phase?: string;
    reason?: string;
    message?: string;
    requirementStatus?: {
      group?: string;
      version?: string;
      kind?: string;
      name?: string;
      status?: string;
      message?: string;
    }[];
  };
}
export const ClusterServiceVersion = defineKind<ClusterServiceVersion>({
  apiVersion: `${group}/v1alpha1`,
  kind: 'ClusterServiceVersion',
  plural: 'clusterserviceversions',
  scope: 'Namespaced',
});

/** Which namespaces the operators of a namespace watch. */
export interface OperatorGroup extends Namespaced {
  spec?: { targetNamespaces?: string[]; selector?: object };
  status?: { namespaces?: string[] };
}
export const OperatorGroup = defineKind<OperatorGroup>({
  apiVersion: `${group}/v1`,
  kind: 'OperatorGroup',
  plural: 'operatorgroups',
  scope: 'Namespaced',
});

/** A catalog of OLM v1. */
export interface ClusterCatalog extends KubernetesObject {
  spec: { source: { type: string; image?: { ref: string } } };
  status?: { conditions?: Condition[] };
}
export const ClusterCatalog = defineKind<ClusterCatalog>({
  apiVersion: 'olm.operatorframework.io/v1',
  kind: 'ClusterCatalog',
  plural: 'clustercatalogs',
  scope: 'Cluster',
});

/** An operator of OLM v1. */
export interface ClusterExtension extends KubernetesObject {
  spec: {
    namespace: string;
    serviceAccount?: { name?: string };
    source: {
      sourceType: string;
      catalog?: {
        packageName: string;
        version?: string;
        selector?: { matchLabels?: Record<string, string> };
      };
    };
  };
  status?: {
    conditions?: Condition[];
    install?: { bundle?: { name?: string; version?: string } };
  };
}
export const ClusterExtension = defineKind<ClusterExtension>({
  apiVersion: 'olm.operatorframework.io/v1',
  kind: 'ClusterExtension',
  plural: 'clusterextensions',
  scope: 'Cluster',
});
