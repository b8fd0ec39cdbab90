import type { UnstructuredObject } from 'ots-runtime';
import { isDefinition } from '../../../deploy/cluster.ts';
import type { ObjectReference } from '../../../deploy/object-name.ts';

/** A major version of OLM: where its releases are, and what it always has. */
export interface Release {
  /** For people, such as `OLM v0`. */
  readonly title: string;
  /** The version that is installed if no flag names one. */
  readonly version: string;
  /** The files of a version, in the order in which they are applied. */
  readonly urls: (version: string) => readonly string[];
  readonly namespace: string;
  /** Without these, it does not work. */
  readonly essentials: readonly ObjectReference[];
}

const gitHub = 'https://github.com/operator-framework';

export const releases: Readonly<Record<'v0' | 'v1', Release>> = {
  v0: {
    title: 'OLM v0',
    version: '0.46.0',
    urls: (version) =>
      ['crds.yaml', 'olm.yaml'].map(
        (file) => `${gitHub}/operator-lifecycle-manager/releases/download/v${version}/${file}`,
      ),
    namespace: 'olm',
    essentials: essentialsOf(
      'olm',
      ['catalogsources', 'clusterserviceversions', 'installplans', 'operatorgroups', 'subscriptions'].map(
        (plural) => `${plural}.operators.coreos.com`,
      ),
      ['olm-operator', 'catalog-operator'],
    ),
  },
  v1: {
    title: 'OLM v1',
    version: '1.11.0',
    urls: (version) => [
      `${gitHub}/operator-controller/releases/download/v${version}/operator-controller.yaml`,
    ],
    namespace: 'olmv1-system',
    essentials: essentialsOf(
      'olmv1-system',
      ['clustercatalogs.olm.operatorframework.io', 'clusterextensions.olm.operatorframework.io'],
      ['catalogd-controller-manager', 'operator-controller-controller-manager'],
    ),
  },
};

function essentialsOf(
  namespace: string,
  crds: readonly string[],
  deployments: readonly string[],
): ObjectReference[] {
  return [
    ...crds.map((name) => ({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      name,
    })),
    ...deployments.map((name) => ({ apiVersion: 'apps/v1', kind: 'Deployment', namespace, name })),
  ];
}

/** The namespace of OLM's programs in its manifests. */
export function namespaceIn(objects: readonly UnstructuredObject[], { namespace }: Release): string {
  return objects.find(({ kind }) => kind === 'Deployment')?.metadata.namespace ?? namespace;
}

/** The definitions among manifests that other programs of OLM may also bring: by name. */
export function definitionNames(objects: readonly UnstructuredObject[]): string[] {
  return objects.filter(isDefinition).flatMap(({ metadata }) => metadata.name ?? []);
}
