import { Deployment } from 'ots-kubernetes/apps/v1';
import {
  ControllerBuilder,
  type DeepReadonly,
  type KubernetesObject,
  controllerReference,
  defineKind,
  objectReconciler,
} from 'ots-runtime';
import { createManager } from '../building-blocks/create-manager.ts';
import { definitionOf } from '../building-blocks/definition-of.ts';
import { type Variant, defineSubject } from '../subject.ts';

interface Cache extends KubernetesObject {
  spec: { replicas: number; exporter?: { image: string } };
}

const Cache = defineKind<Cache>({
  apiVersion: 'databases.example.com/v1',
  kind: 'Cache',
  plural: 'caches',
  scope: 'Namespaced',
});
const key = { namespace: 'default', name: 'redis' };

function deploymentOf({ spec, ...cache }: DeepReadonly<Cache>, variant: Variant) {
  const labels = { app: cache.metadata.name! };
  const image = variant === 'buggy' ? spec.exporter!.image : spec.exporter?.image;
  const exporter = image === undefined ? [] : [{ name: 'exporter', image }];
  return {
    metadata: { ...key, ownerReferences: [controllerReference(cache)] },
    spec: {
      replicas: spec.replicas,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { containers: [{ name: 'redis', image: 'redis' }, ...exporter] },
      },
    },
  };
}

export const readsOmittedField = defineSubject<Cache>({
  title: 'runs a cache, and an exporter beside it if users want one',
  bugs: ['OT-CONTAINER-KIT/redis-operator 283', 'OT-CONTAINER-KIT/redis-operator 286'],
  pattern: 'operator-crash',
  consequence:
    'Every reconcile of an object without the field throws, and none of its changes has an effect.',
  definition: definitionOf(Cache, {
    spec: {
      replicas: { type: 'integer', minimum: 0 },
      exporter: { type: 'object', properties: { image: { type: 'string' } }, required: ['image'] },
    },
    required: ['replicas'],
  }),
  object: {
    apiVersion: 'databases.example.com/v1',
    kind: 'Cache',
    metadata: key,
    spec: { replicas: 1, exporter: { image: 'exporter' } },
  },
  changes: {
    'is scaled': ({ client }) => client.patch(Cache, key, { spec: { replicas: 2 } }),
  },
  async start(connection, variant, leaderElection) {
    const manager = await createManager('caches', connection, leaderElection);
    const { client } = manager;
    const reconciler = objectReconciler(client, Cache, async (cache) => {
      await client.apply(Deployment, deploymentOf(cache, variant));
    });
    new ControllerBuilder(manager).for(Cache).owns(Deployment).complete(reconciler);
    return manager;
  },
  demonstration: {
    seenIn: 'state',
    plan: { edits: [{ title: 'loses its exporter', patch: { spec: { exporter: null } } }] },
    async isHarmed({ client }) {
      const { spec } = await client.getOrThrow(Deployment, key);
      return spec?.template.spec?.containers.length !== 1;
    },
  },
});
