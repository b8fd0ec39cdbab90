import { type Condition, type KubernetesObject, defineKind } from 'ots-kubernetes';

// The fields of OLM v1 that the simulation reads and writes.

export interface ClusterCatalog extends KubernetesObject {
  apiVersion: 'olm.operatorframework.io/v1';
  kind: 'ClusterCatalog';
  spec: {
    source: { type: 'Image'; image?: { ref: string; pollIntervalMinutes?: number } };
    priority?: number;
    availabilityMode?: 'Available' | 'Unavailable';
  };
  status?: {
    conditions?: Condition[];
    resolvedSource?: { type: 'Image'; image: { ref: string } };
    urls?: { base: string };
    lastUnpacked?: string;
  };
}

export const ClusterCatalog = defineKind<ClusterCatalog>({
  apiVersion: 'olm.operatorframework.io/v1',
  kind: 'ClusterCatalog',
  plural: 'clustercatalogs',
  scope: 'Cluster',
});

export interface ClusterExtension extends KubernetesObject {
  apiVersion: 'olm.operatorframework.io/v1';
  kind: 'ClusterExtension';
  spec: {
    namespace: string;
    serviceAccount?: { name?: string };
    source: { sourceType: 'Catalog'; catalog?: CatalogFilter };
    install?: { preflight?: { crdUpgradeSafety?: { enforcement: 'None' | 'Strict' } } };
    config?: Record<string, unknown>;
  };
  status?: {
    conditions?: Condition[];
    install?: { bundle: InstalledBundle };
  };
}

/** Which bundles of which catalogs an extension may install. */
export interface CatalogFilter {
  packageName: string;
  version?: string;
  channels?: string[];
  selector?: { matchLabels?: Record<string, string>; matchExpressions?: unknown[] };
  upgradeConstraintPolicy?: 'CatalogProvided' | 'SelfCertified';
}

export interface InstalledBundle {
  name: string;
  version: string;
}

export const ClusterExtension = defineKind<ClusterExtension>({
  apiVersion: 'olm.operatorframework.io/v1',
  kind: 'ClusterExtension',
  plural: 'clusterextensions',
  scope: 'Cluster',
});
