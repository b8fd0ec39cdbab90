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
      const secret = `${name}-superuser`;
      const parked = statefulSetOf(datacenter, { replicas: 0, image: 'cassandra', secret });
      const current = await client.get(StatefulSet, parked.metadata);
      const scale = () =>
        client.scale.patch(StatefulSet, parked.metadata, { spec: { replicas: datacenter.spec.size } });
      if (!current) {
        await client.apply(StatefulSet, parked);
        await client.apply(Secret, {
          metadata: { name: secret, namespace, ownerReferences: [controllerReference(datacenter)] },
          stringData: { USER: 'cassandra' },
        });
        await scale();
        return;
      }
      const replicas = current.spec?.replicas ?? 0;
      // Without pods it is being prepared.
      const isRunning =
        variant === 'fixed' ? await client.get(Secret, { name: secret, namespace }) : replicas > 0;
      if (isRunning && replicas !== datacenter.spec.size) await scale();
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
