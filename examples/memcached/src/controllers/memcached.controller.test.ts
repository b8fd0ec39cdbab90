// Copyright 2026 The memcached-operator authors
// SPDX-License-Identifier: Apache-2.0

import { Event } from 'ots-kubernetes/events/v1';
import { Deployment } from 'ots-kubernetes/apps/v1';
import { readManifest, TestEnvironment } from 'ots-testing';
import {
  Client,
  createLogger,
  isConditionTrue,
  Manager,
  waitFor,
  waitForObject,
  type DeepReadonly,
} from 'ots-runtime';
import { expect, test } from 'vitest';
import { Memcached } from '../api/v1alpha1/memcached.ts';
import { setupMemcachedController } from './memcached.controller.ts';

const logger = createLogger({ level: 'error' });
const listeners = { health: false, metrics: false, webhooks: false } as const;
// Who the operator is in a cluster, as config/rbac says it.
const operator = { serviceAccount: 'controller-manager', namespace: 'system' };
const key = { namespace: 'default', name: 'memcached-sample' };
const patiently = { timeout: '60s' } as const;

const isAvailable = (memcached: DeepReadonly<Memcached> | undefined) =>
  isConditionTrue(memcached?.status?.conditions, 'Available');

test('a Memcached becomes available, is scaled, and needs exactly the rights of config/rbac', async () => {
  await using environment = await TestEnvironment.start({
    crds: ['config/crd/bases'],
    workloads: true,
    recordRequests: true,
  });
  await environment.install('config/rbac', { namespace: operator.namespace });
  await using client = new Client(environment.config, { fieldOwner: 'user' });
  const connection = await environment.as(operator);
  await using manager = await Manager.create(
    { connection, logger, userAgent: 'memcached-operator', ...listeners },
    { failOnDenied: true },
  );
  setupMemcachedController(manager);
  const running = manager.start();
  running.catch(() => {}); // `ready` and `idle` reject, too.
  await manager.ready;

  const sample = await readManifest(Memcached, 'config/samples/cache_v1alpha1_memcached.yaml');
  await client.create(Memcached, { ...sample, metadata: { ...sample.metadata, ...key } });
  const created = await waitForObject(client, Memcached, key, isAvailable, patiently);
  expect(created?.status?.nodes).toHaveLength(3);
  expect(created?.status?.conditions?.[0]?.message).toBe('3 of 3 pods are available');

  await client.patch(Memcached, key, { spec: { size: 5 } });
  const scaled = await waitForObject(
    client,
    Memcached,
    key,
    (found) => isAvailable(found) && found?.status?.nodes?.length === 5,
    patiently,
  );
  expect((await client.get(Deployment, key))?.spec?.replicas).toBe(5);
  expect(scaled?.status?.observedGeneration).toBe(scaled?.metadata.generation);
  await expect(client.patch(Memcached, key, { spec: { size: 6 } })).rejects.toThrow(
    'spec.size in body should be less than or equal to 5',
  );
  await waitFor(async () => {
    const { items } = await client.list(Event, { namespace: 'default' });
    return items.some(
      ({ reason, regarding }) => reason === 'AllPodsAvailable' && regarding?.name === key.name,
    );
  });

  await manager.idle();
  const unused = await environment.unusedRules(operator);
  expect(
    unused.filter(({ role }) => role === 'ClusterRole manager-role').map(({ rule }) => rule),
  ).toEqual([
    // Only for OwnerReferencesPermissionEnforcement.
    '@rbac groups=cache.example.com resources=memcacheds/finalizers verbs=update',
  ]);
  await manager.stop();
  await running;
});
