import { type BundleSources, generateBundle } from '../../../src/olm/generate/generate-bundle.ts';
import { readInput } from '../../../src/olm/generate/read-input.ts';
import { parse, stringify } from 'yaml';

/** An object in short. */
export const object = (apiVersion: string, kind: string, name: string, rest: object = {}) => ({
  apiVersion,
  kind,
  metadata: { name, namespace: 'boats' },
  ...rest,
});

const rbac = 'rbac.authorization.k8s.io';

/** A Role or ClusterRole that may do one thing. */
export const role = (kind: string, name: string, resource: string) =>
  object(`${rbac}/v1`, kind, name, { rules: [{ apiGroups: [''], resources: [resource], verbs: ['get'] }] });

/** A binding of the role with the same name. */
export const binding = (kind: string, name: string, roleKind: string, ...accounts: string[]) =>
  object(`${rbac}/v1`, kind, name, {
    roleRef: { apiGroup: rbac, kind: roleKind, name },
    subjects: accounts.map((account) => ({ kind: 'ServiceAccount', name: account, namespace: 'boats' })),
  });

/** The operator: one Deployment. */
export const deployment = (env: object[] = [], name = 'captain') =>
  object('apps/v1', 'Deployment', name, {
    spec: {
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name } },
        spec: { serviceAccountName: name, containers: [{ name: 'main', image: 'boats:1', env }] },
      },
    },
  });

/** Its kind. */
export const crd = (rest: object = {}) =>
  object('apiextensions.k8s.io/v1', 'CustomResourceDefinition', 'boats.sea.example.com', {
    spec: {
      group: 'sea.example.com',
      scope: 'Namespaced',
      names: { kind: 'Boat', plural: 'boats' },
      versions: [
        { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } },
        { name: 'v1alpha1', served: false, storage: false, schema: { openAPIV3Schema: { type: 'object' } } },
      ],
      ...rest,
    },
  });

/** The ClusterServiceVersion that the author wrote. */
export const base = (spec: object = {}, annotations: object = {}) => ({
  apiVersion: 'operators.coreos.com/v1alpha1',
  kind: 'ClusterServiceVersion',
  metadata: { name: 'fleet.v0.0.0', annotations },
  spec: {
    displayName: 'Fleet',
    minKubeVersion: '1.28.0',
    installModes: [{ type: 'AllNamespaces', supported: true }],
    ...spec,
  },
});

/** YAML of some objects. */
export const yaml = (...objects: object[]) =>
  objects.map((each) => stringify(each, { version: '1.1' })).join('---\n');

/** A ClusterServiceVersion as far as the tests look at it. */
interface Csv {
  metadata: { name: string; annotations: Record<string, string> };
  spec: { install: { spec: Record<string, any> }; [field: string]: any };
}

/** The bundle of some objects, with its ClusterServiceVersion parsed. */
export function bundleOf(objects: readonly object[], sources: Partial<BundleSources> = {}) {
  const bundle = generateBundle(readInput([{ name: 'all.yaml', text: yaml(...objects) }]), {
    packageName: 'fleet',
    version: '0.2.0',
    layout: 'test',
    builder: 'test',
    base: base(),
    former: undefined,
    formerFile: 'bundle/manifests/fleet.clusterserviceversion.yaml',
    extraServiceAccounts: [],
    ...sources,
  });
  return { ...bundle, csv: parse(bundle.csv('2026-01-01T00:00:00Z')) as Csv };
}
