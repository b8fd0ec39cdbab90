import { v0Definitions } from '../definitions/v0-definitions.ts';
import { type Installation, accountObject, bindingObject, namespaceObject, program } from './installation.ts';

const olm = 'olm';
const account = 'olm-operator-serviceaccount';
const role = 'system:controller:operator-lifecycle-manager';
const image = 'quay.io/operator-framework/olm:simulated';

const programOfOlm = (name: string) =>
  program({ namespace: olm, name, serviceAccount: account }, { image, labels: { app: name } });

const aggregated = (name: string, to: readonly string[], rules: readonly object[]) => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRole',
  metadata: {
    name,
    labels: Object.fromEntries(to.map((each) => [`rbac.authorization.k8s.io/aggregate-to-${each}`, 'true'])),
  },
  rules,
});

const kinds = ['clusterserviceversions', 'catalogsources', 'installplans', 'subscriptions'];
const apiGroups = ['operators.coreos.com'];

/** OLM installs its third program itself. The version says that this is not the real one. */
const packageServer = {
  apiVersion: 'operators.coreos.com/v1alpha1',
  kind: 'ClusterServiceVersion',
  metadata: { name: 'packageserver', namespace: olm, labels: { 'olm.version': '0.0.0-simulated' } },
  spec: {
    displayName: 'Package Server',
    version: '0.0.0-simulated',
    installModes: [{ type: 'OwnNamespace', supported: true }],
    install: {
      strategy: 'deployment',
      spec: { deployments: [{ name: 'packageserver', spec: programOfOlm('packageserver').spec }] },
    },
  },
};

/** OLM v0 as its quickstart installs it, without the catalog of OperatorHub, which would be a download. */
export const v0Installation: Installation = {
  definitions: v0Definitions,
  objects: [
    namespaceObject(olm),
    namespaceObject('operators'),
    accountObject(olm, account),
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: role },
      rules: [
        { apiGroups: ['*'], resources: ['*'], verbs: ['*'] },
        { nonResourceURLs: ['*'], verbs: ['*'] },
      ],
    } as Installation['objects'][number],
    bindingObject('olm-operator-binding-olm', role, { name: account, namespace: olm }),
    programOfOlm('olm-operator'),
    programOfOlm('catalog-operator'),
    aggregated(
      'aggregate-olm-edit',
      ['admin', 'edit'],
      [
        { apiGroups, resources: ['subscriptions'], verbs: ['create', 'update', 'patch', 'delete'] },
        { apiGroups, resources: kinds, verbs: ['delete'] },
      ],
    ),
    aggregated(
      'aggregate-olm-view',
      ['admin', 'edit', 'view'],
      [{ apiGroups, resources: [...kinds, 'operatorgroups'], verbs: ['get', 'list', 'watch'] }],
    ),
    {
      apiVersion: 'operators.coreos.com/v1',
      kind: 'OperatorGroup',
      metadata: { name: 'global-operators', namespace: 'operators' },
    },
    {
      apiVersion: 'operators.coreos.com/v1',
      kind: 'OperatorGroup',
      metadata: { name: 'olm-operators', namespace: olm },
      spec: { targetNamespaces: [olm] },
    } as Installation['objects'][number],
    packageServer,
  ],
};
