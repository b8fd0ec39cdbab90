import { readFileSync } from 'node:fs';
import { ServiceAccount } from 'ots-kubernetes/core/v1';
import { Role, RoleBinding } from 'ots-kubernetes/rbac/v1';
import { Lease } from 'ots-kubernetes/coordination/v1';
import { expect, test } from 'vitest';
import { apiServerFixture } from '../../test/api-server-fixture.ts';
import { waitFor } from '../waiting/wait-for.ts';

// Runs against the embedded API server, and against a real one when KUBEBUILDER_ASSETS is set.

const server = apiServerFixture();
const namespace = 'default';
const documented = new URL('../../../../docs/runtime/sharding.md', import.meta.url);

test('the documented rule suffices: replicas join, take over an expired Lease, and leave', async () => {
  const [, list = ''] =
    /title="leases.yaml"[^]*?verbs: \[(.*)\]/.exec(readFileSync(documented, 'utf8')) ?? [];
  const metadata = { name: 'sharded', namespace };
  await server.client.create(ServiceAccount, { apiVersion: 'v1', kind: 'ServiceAccount', metadata });
  await server.client.create(Role, {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'Role',
    metadata,
    rules: [{ apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: list.split(', ') }],
  });
  await server.client.create(RoleBinding, {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    metadata,
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'sharded' },
    subjects: [{ kind: 'ServiceAccount', name: 'sharded', namespace }],
  });
  const connection = await server.as({ serviceAccount: 'sharded', namespace });
  // Left by a replica that was killed.
  await server.client.create(Lease, {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name: 'rights-dead', namespace, labels: { 'runtime.ots/member-of': 'rights' } },
    spec: { holderIdentity: 'dead', leaseDurationSeconds: 1 },
  });
  const start = async (identity: string) => {
    const timing = { leaseDuration: '3s', renewDeadline: '2s', retryPeriod: '300ms' } as const;
    const sharding = { leasePrefix: 'rights', by: 'uid', namespace, identity, ...timing } as const;
    const manager = await server.createManager(namespace, { connection, sharding });
    manager.start().catch(() => {});
    await manager.ready;
    return manager;
  };
  const [a, b] = [await start('a'), await start('b')];
  await a.idle({ timeout: '20s' });
  await b.idle({ timeout: '20s' });
  await b.stop();
  await waitFor(async () => {
    const { items } = await server.client.list(Lease, {
      namespace,
      labelSelector: 'runtime.ots/member-of=rights',
    });
    return items.map(({ spec }) => spec?.holderIdentity).join() === 'a';
  });
  await a.idle({ timeout: '20s' });
  expect(list).toBe('create, list, watch, update, delete');
}, 60_000);
