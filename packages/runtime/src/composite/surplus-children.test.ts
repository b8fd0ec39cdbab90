import { ConfigMap, Namespace } from 'ots-kubernetes/core/v1';
import { expect, test } from 'vitest';
import { ObservedChildren } from './observed-children.ts';
import { surplusChildren } from './surplus-children.ts';

const owner = { apiVersion: 'example.com/v1', kind: 'Fleet', metadata: { name: 'fleet' } };

test('a child is wanted by kind, namespace and name; a cluster-scoped kind ignores the namespace', () => {
  const observed = new ObservedChildren(undefined);
  observed.note(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'a' } });
  for (const namespace of ['one', 'two']) {
    observed.note(ConfigMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace } });
  }
  const wanted = [
    { rule: { kind: Namespace }, desired: { metadata: { name: 'a', namespace: 'one' } } },
    { rule: { kind: ConfigMap }, desired: { metadata: { name: 'a', namespace: 'one' } } },
  ];
  const surplus = surplusChildren(owner, wanted, observed, [Namespace, ConfigMap]);
  expect(surplus.map(({ child }) => `${child.kind} ${child.metadata.namespace}`)).toEqual(['ConfigMap two']);
});
