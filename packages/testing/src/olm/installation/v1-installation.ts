import { v1Definitions } from '../definitions/v1-definitions.ts';
import { type Installation, accountObject, bindingObject, namespaceObject, program } from './installation.ts';

const system = 'olmv1-system';

const programOfOlm = (name: string) => {
  const manager = `${name}-controller-manager`;
  return [
    accountObject(system, manager),
    bindingObject(`${name}-cluster-admin-rolebinding`, 'cluster-admin', { name: manager, namespace: system }),
    program(
      { namespace: system, name: manager, serviceAccount: manager },
      {
        image: `quay.io/operator-framework/${name}:simulated`,
        labels: {
          'control-plane': manager,
          'app.kubernetes.io/name': name,
          'app.kubernetes.io/part-of': 'olm',
        },
      },
    ),
  ];
};

const policyName = 'clusterextension-serviceaccount-deprecated';

/** Warns who sets a field that OLM ignores. */
const policy = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingAdmissionPolicy',
  metadata: { name: policyName },
  spec: {
    failurePolicy: 'Ignore',
    matchConstraints: {
      resourceRules: [
        {
          apiGroups: ['olm.operatorframework.io'],
          apiVersions: ['v1'],
          operations: ['CREATE', 'UPDATE'],
          resources: ['clusterextensions'],
        },
      ],
    },
    validations: [
      {
        expression: "!has(object.spec.serviceAccount) || object.spec.serviceAccount.?name.orValue('') == ''",
        message: 'spec.serviceAccount is deprecated and ignored',
      },
    ],
  },
};

const policyBinding = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingAdmissionPolicyBinding',
  metadata: { name: policyName },
  spec: { policyName, validationActions: ['Warn'] },
};

/** OLM v1 as its release installs it, without certificates, policies of the network, and catalogs. */
export const v1Installation: Installation = {
  definitions: v1Definitions,
  objects: [
    namespaceObject(system, { 'app.kubernetes.io/part-of': 'olm' }),
    ...programOfOlm('catalogd'),
    ...programOfOlm('operator-controller'),
    policy,
    policyBinding,
  ],
};
