import { Service } from 'ots-kubernetes/core/v1';
import {
  ControllerBuilder,
  type KubernetesObject,
  controllerReference,
  createOrPatch,
  defineKind,
  objectReconciler,
} from 'ots-runtime';
import { createManager } from '../building-blocks/create-manager.ts';
import { definitionOf } from '../building-blocks/definition-of.ts';
import { defineSubject } from '../subject.ts';

interface Endpoint extends KubernetesObject {
  spec: { port: number; labels?: Record<string, string> };
}

const Endpoint = defineKind<Endpoint>({
  apiVersion: 'databases.example.com/v1',
  kind: 'Endpoint',
  plural: 'endpoints',
  scope: 'Namespaced',
});
const key = { namespace: 'default', name: 'db' };

export const mergesLabels = defineSubject<Endpoint>({
  title: 'keeps a Service with labels that users choose',
  bugs: ['k8ssandra/cass-operator 330', 'pravega/zookeeper-operator 474', 'pingcap/tidb-operator 4942'],
  pattern: 'state',
  consequence: 'A label that a user removes stays on the Service, and what selects by it goes on.',
  definition: definitionOf(Endpoint, {
    spec: {
      port: { type: 'integer', minimum: 1, maximum: 65_535 },
      labels: { type: 'object', additionalProperties: { type: 'string' } },
    },
    required: ['port'],
  }),
  object: {
    apiVersion: 'databases.example.com/v1',
    kind: 'Endpoint',
    metadata: key,
    spec: { port: 9042, labels: { team: 'a' } },
  },
  changes: {
    'gets another port': ({ client }) => client.patch(Endpoint, key, { spec: { port: 9142 } }),
    'gets another label': ({ client }) => client.patch(Endpoint, key, { spec: { labels: { tier: 'data' } } }),
  },
  async start(connection, variant, leaderElection) {
    const manager = await createManager('endpoints', connection, leaderElection);
    const { client } = manager;
    const reconciler = objectReconciler(client, Endpoint, async (endpoint) => {
      const { port, labels } = endpoint.spec;
      await createOrPatch(client, Service, key, (service) => {
        service.metadata.ownerReferences = [controllerReference(endpoint)];
        service.metadata.labels =
          variant === 'buggy' ? { ...service.metadata.labels, ...labels } : { ...labels };
        service.spec = {
          ...service.spec,
          selector: { app: 'db' },
          ports: [{ port, protocol: 'TCP', targetPort: port }],
        };
      });
    });
    new ControllerBuilder(manager).for(Endpoint).owns(Service).complete(reconciler);
    return manager;
  },
  demonstration: {
    seenIn: 'state',
    plan: { edits: [{ title: 'loses a label', patch: { spec: { labels: { team: null } } } }] },
    async isHarmed({ client }) {
      return (await client.getOrThrow(Service, key)).metadata.labels?.['team'] !== undefined;
    },
  },
});
