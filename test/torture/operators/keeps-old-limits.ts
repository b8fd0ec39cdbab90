import { StatefulSet } from 'ots-kubernetes/apps/v1';
import { ControllerBuilder, type KubernetesObject, defineKind, objectReconciler } from 'ots-runtime';
import { createManager } from '../building-blocks/create-manager.ts';
import { definitionOf } from '../building-blocks/definition-of.ts';
import { statefulSetOf } from '../building-blocks/stateful-set-of.ts';
import { defineSubject } from '../subject.ts';

interface Cockroach extends KubernetesObject {
  spec: { nodes: number; limits?: Record<string, string> };
}

const Cockroach = defineKind<Cockroach>({
  apiVersion: 'databases.example.com/v1',
  kind: 'Cockroach',
  plural: 'cockroaches',
  scope: 'Namespaced',
});
const key = { namespace: 'default', name: 'cockroach' };

export const keepsOldLimits = defineSubject<Cockroach>({
  title: 'runs a database with limits, and changes them',
  bugs: ['cockroachdb/cockroach-operator 919'],
  pattern: 'differential',
  consequence: 'A changed object runs with other limits than a new one with the same content.',
  definition: definitionOf(Cockroach, {
    spec: {
      nodes: { type: 'integer', minimum: 0 },
      limits: { type: 'object', additionalProperties: { type: 'string' } },
    },
    required: ['nodes'],
  }),
  object: {
    apiVersion: 'databases.example.com/v1',
    kind: 'Cockroach',
    metadata: key,
    spec: { nodes: 1, limits: { cpu: '1', memory: '1Gi' } },
  },
  changes: {
    'gets more memory': ({ client }) => client.patch(Cockroach, key, { spec: { limits: { memory: '2Gi' } } }),
  },
  async start(connection, variant, leaderElection) {
    const manager = await createManager('cockroaches', connection, leaderElection);
    const { client } = manager;
    const reconciler = objectReconciler(client, Cockroach, async (cockroach) => {
      const { nodes, limits } = cockroach.spec;
      const wanted = statefulSetOf(cockroach, { replicas: nodes, image: 'cockroach' });
      const current = (await client.get(StatefulSet, key)) ?? (await client.apply(StatefulSet, wanted));
      await client.patch(StatefulSet, current, (draft) => {
        const [container] = draft.spec!.template.spec!.containers;
        const before = container!.resources?.limits;
        container!.resources = { limits: variant === 'buggy' ? { ...before, ...limits } : { ...limits } };
        draft.spec!.replicas = nodes;
      });
    });
    new ControllerBuilder(manager).for(Cockroach).owns(StatefulSet).complete(reconciler);
    return manager;
  },
  demonstration: {
    seenIn: 'state',
    plan: { edits: [{ title: 'loses a limit', patch: { spec: { limits: { cpu: null } } } }] },
    async isHarmed({ client }) {
      const { spec } = await client.getOrThrow(StatefulSet, key);
      return spec?.template.spec?.containers[0]?.resources?.limits?.['cpu'] !== undefined;
    },
  },
});
