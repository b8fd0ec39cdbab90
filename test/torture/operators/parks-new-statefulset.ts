import { StatefulSet } from 'ots-kubernetes/apps/v1';
import { Secret } from 'ots-kubernetes/core/v1';
import {
  ControllerBuilder,
  type KubernetesObject,
  controllerReference,
  defineKind,
  objectReconciler,
} from 'ots-runtime';
import { createManager } from '../building-blocks/create-manager.ts';
import { definitionOf } from '../building-blocks/definition-of.ts';
import { statefulSetOf } from '../building-blocks/stateful-set-of.ts';
import { defineSubject } from '../subject.ts';

interface Datacenter extends KubernetesObject {
  spec: { size: number };
}

const Datacenter = defineKind<Datacenter>({
  apiVersion: 'rings.example.com/v1',
  kind: 'Datacenter',
  plural: 'datacenters',
  scope: 'Namespaced',
});
const key = { namespace: 'default', name: 'dc1' };

export const parksNewStatefulSet = defineSubject<Datacenter>({
  title: 'creates a StatefulSet without pods, prepares what they need, and then lets it have pods',
  bugs: ['k8ssandra/cass-operator K8SSAND-1023'],
  pattern: 'crash',
  consequence: 'The StatefulSet never gets a pod.',
  definition: definitionOf(Datacenter, {
    spec: { size: { type: 'integer', minimum: 1 } },
    required: ['size'],
  }),
  object: { apiVersion: 'rings.example.com/v1', kind: 'Datacenter', metadata: key, spec: { size: 1 } },
  changes: {
    'is scaled': ({ client }) => client.patch(Datacenter, key, { spec: { size: 2 } }),
  },
  workloads: true,
  async start(connection, variant, leaderElection) {
    const manager = await createManager('datacenters', connection, leaderElection);
    const { client } = manager;
    const reconciler = objectReconciler(client, Datacenter, async (datacenter) => {
      const { name, namespace } = datacenter.metadata;
      const { size } = datacenter.spec;
      const secret = { name: `${name}-superuser`, namespace };
      const parked = statefulSetOf(datacenter, { replicas: 0, image: 'cassandra', secret: secret.name });
      const current = await client.get(StatefulSet, parked.metadata);
      if (!current) await client.apply(StatefulSet, parked);
      if (!(await client.get(Secret, secret)))
        await client.apply(Secret, {
          metadata: { ...secret, ownerReferences: [controllerReference(datacenter)] },
          stringData: { USER: 'cassandra' },
        });
      const replicas = current?.spec?.replicas ?? 0;
      // Without pods it is being prepared.
      const isPrepared = variant === 'fixed' || !current || replicas > 0;
      if (isPrepared && replicas !== size)
        await client.scale.patch(StatefulSet, parked.metadata, { spec: { replicas: size } });
    });
    new ControllerBuilder(manager).for(Datacenter).owns(StatefulSet).owns(Secret).complete(reconciler);
    return manager;
  },
  demonstration: {
    seenIn: 'state',
    plan: { crashAfter: { verb: 'patch', resource: 'secrets' } },
    async isHarmed({ client }) {
      const statefulSet = await client.get(StatefulSet, key);
      return statefulSet?.spec?.replicas === 0;
    },
  },
});
