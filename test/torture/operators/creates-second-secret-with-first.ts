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

interface Mongo extends KubernetesObject {
  spec: { size: number };
}

const Mongo = defineKind<Mongo>({
  apiVersion: 'documents.example.com/v1',
  kind: 'Mongo',
  plural: 'mongos',
  scope: 'Namespaced',
});
const key = { namespace: 'default', name: 'mongo' };

export const createsSecondSecretWithFirst = defineSubject<Mongo>({
  title: 'creates two Secrets with certificates, one for clients and one for members',
  bugs: ['percona/percona-server-mongodb-operator K8SPSMDB-578'],
  pattern: 'crash',
  consequence: 'The second Secret is never created, and the pods, which need it, never start.',
  definition: definitionOf(Mongo, { spec: { size: { type: 'integer', minimum: 1 } }, required: ['size'] }),
  object: { apiVersion: 'documents.example.com/v1', kind: 'Mongo', metadata: key, spec: { size: 1 } },
  changes: {
    'is scaled': ({ client }) => client.patch(Mongo, key, { spec: { size: 2 } }),
  },
  workloads: true,
  async start(connection, variant, leaderElection) {
    const manager = await createManager('mongos', connection, leaderElection);
    const { client } = manager;
    const reconciler = objectReconciler(client, Mongo, async (mongo) => {
      const { name = '', namespace = '' } = mongo.metadata;
      const ownerReferences = [controllerReference(mongo)];
      const createSecret = (suffix: string) =>
        client.create(Secret, {
          apiVersion: 'v1',
          kind: 'Secret',
          metadata: { name: `${name}-${suffix}`, namespace, ownerReferences },
          stringData: { CERTIFICATE: `of ${suffix}` },
        });
      const isMissing = async (suffix: string) =>
        !(await client.get(Secret, { name: `${name}-${suffix}`, namespace }));
      if (variant === 'buggy') {
        if (await isMissing('ssl')) {
          await createSecret('ssl');
          await createSecret('ssl-internal');
        }
      } else {
        for (const suffix of ['ssl', 'ssl-internal']) if (await isMissing(suffix)) await createSecret(suffix);
      }
      const shape = { replicas: mongo.spec.size, image: 'mongo', secret: `${name}-ssl-internal` };
      await client.apply(StatefulSet, statefulSetOf(mongo, shape));
    });
    new ControllerBuilder(manager).for(Mongo).owns(Secret).owns(StatefulSet).complete(reconciler);
    return manager;
  },
  demonstration: {
    seenIn: 'state',
    plan: { crashAfter: { verb: 'create', resource: 'secrets' } },
    async isHarmed({ client }) {
      const statefulSet = await client.get(StatefulSet, key);
      return !statefulSet?.status?.readyReplicas;
    },
  },
});
