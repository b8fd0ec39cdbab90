import { StatefulSet } from 'ots-kubernetes/apps/v1';
import { ControllerBuilder, type KubernetesObject, defineKind, objectReconciler } from 'ots-runtime';
import { createManager } from '../building-blocks/create-manager.ts';
import { definitionOf } from '../building-blocks/definition-of.ts';
import { statefulSetOf } from '../building-blocks/stateful-set-of.ts';
import { defineSubject } from '../subject.ts';

interface Search extends KubernetesObject {
  spec: { version: string };
}

const Search = defineKind<Search>({
  apiVersion: 'search.example.com/v1',
  kind: 'Search',
  plural: 'searches',
  scope: 'Namespaced',
});
const key = { namespace: 'default', name: 'search' };

export const writesBackReplicaCount = defineSubject<Search>({
  title: 'keeps the version of a StatefulSet, and leaves the number of its replicas to an autoscaler',
  bugs: ['elastic/cloud-on-k8s 5274'],
  pattern: 'stale',
  consequence: 'The StatefulSet is scaled down to a count that is out of date.',
  definition: definitionOf(Search, { spec: { version: { type: 'string' } }, required: ['version'] }),
  object: { apiVersion: 'search.example.com/v1', kind: 'Search', metadata: key, spec: { version: '8.0' } },
  changes: {
    'is scaled by an autoscaler': ({ client }) =>
      client.scale.patch(StatefulSet, key, { spec: { replicas: 3 } }),
    'gets another version': ({ client }) => client.patch(Search, key, { spec: { version: '8.1' } }),
  },
  workloads: true,
  async start(connection, variant, leaderElection) {
    const manager = await createManager('searches', connection, leaderElection);
    const { client, apiReader } = manager;
    const reconciler = objectReconciler(client, Search, async (search) => {
      // The cache may not have it yet, and then there is a count, too.
      const current = (await client.get(StatefulSet, key)) ?? (await apiReader.get(StatefulSet, key));
      const replicas = current?.spec?.replicas ?? 1;
      const wanted = statefulSetOf(search, { replicas, image: `elasticsearch:${search.spec.version}` });
      // The count is only right for what was read.
      const resourceVersion = variant === 'fixed' ? current?.metadata.resourceVersion : undefined;
      const metadata = { ...wanted.metadata, ...(resourceVersion !== undefined && { resourceVersion }) };
      await client.apply(StatefulSet, { ...wanted, metadata }, { force: true });
    });
    new ControllerBuilder(manager).for(Search).owns(StatefulSet).complete(reconciler);
    return manager;
  },
  demonstration: {
    seenIn: 'state',
    plan: {
      holds: [{ resource: 'statefulsets.apps', from: { before: 'is scaled by an autoscaler' } }],
    },
    async isHarmed({ client }) {
      return (await client.getOrThrow(StatefulSet, key)).spec?.replicas !== 3;
    },
  },
});
