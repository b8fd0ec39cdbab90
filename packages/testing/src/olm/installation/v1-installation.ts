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

/** OLM v1 as its release installs it, without certificates, policies of the network, and catalogs. */
export const v1Installation: Installation = {
  definitions: v1Definitions,
  objects: [
    namespaceObject(system, { 'app.kubernetes.io/part-of': 'olm' }),
    ...programOfOlm('catalogd'),
    ...programOfOlm('operator-controller'),
  ],
};
