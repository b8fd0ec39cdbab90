// Copyright 2026 The zookeeper-operator authors
// SPDX-License-Identifier: Apache-2.0

import { StatefulSet } from 'ots-kubernetes/apps/v1';
import { Job } from 'ots-kubernetes/batch/v1';
import { Secret } from 'ots-kubernetes/core/v1';
import { PodDisruptionBudget } from 'ots-kubernetes/policy/v1';
import {
  Client,
  type DeepReadonly,
  Manager,
  createLogger,
  isConditionTrue,
  waitFor,
  waitForObject,
} from 'ots-runtime';
import { TestEnvironment } from 'ots-testing';
import { expect, test } from 'vitest';
import { clusterOf, keyOf, listeners, operator } from '../../test/operator.ts';
import { SimulatedZookeeper } from '../../test/simulated-zookeeper.ts';
import { ZookeeperBackup } from '../api/v1/zookeeper-backup.ts';
import { ZookeeperCluster } from '../api/v1/zookeeper-cluster.ts';
import { setupZookeeperBackupController } from './zookeeper-backup.controller.ts';
import { setupZookeeperClusterController } from './zookeeper-cluster.controller.ts';

const options = { timeout: '100s' } as const;

test('the samples become a cluster and its backup, with exactly the rights in config/rbac', async () => {
  const zookeeper = new SimulatedZookeeper();
  await using environment = await TestEnvironment.start({
    crds: ['config/crd/bases'],
    workloads: { images: zookeeper.images },
    recordRequests: true,
  });
  await environment.install('config/rbac', { namespace: operator.namespace });
  await using client = new Client(environment.config);
  await using manager = await Manager.create(
    {
      connection: await environment.as(operator),
      logger: createLogger({ level: 'silent' }),
      ...listeners,
    },
    { failOnDenied: true },
  );
  setupZookeeperClusterController(manager, { connect: environment.network.connect });
  setupZookeeperBackupController(manager);
  manager.start().catch(() => {}); // `ready` also rejects
  await manager.ready;

  const sample = keyOf('zookeepercluster-v1-sample');
  await client.create(Secret, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: keyOf('safe-tls'),
    stringData: { 'ca.pem': 'a', 'tls.pem': 'b' },
  });
  const safe = { size: 2, version: '3.9.3', tls: { secretName: 'safe-tls' } };
  await client.create(ZookeeperCluster, clusterOf('safe', safe));
  await environment.install('config/samples');
  await waitForObject(client, ZookeeperCluster, keyOf('safe'), isReady, options);
  await waitForObject(client, ZookeeperCluster, sample, isReady, options);
  expect((await client.get(StatefulSet, sample))?.status?.readyReplicas).toBe(3);
  expect((await client.get(PodDisruptionBudget, sample))?.spec?.minAvailable).toBe(2);

  const backup = keyOf('zookeeperbackup-v1-sample');
  await waitForObject(
    client,
    ZookeeperBackup,
    backup,
    (found) => isConditionTrue(found?.status?.conditions, 'Complete'),
    options,
  );

  // What needs the other rights: a restored cluster, another version, fewer members.
  const copy = { size: 1, version: '3.9.3', restore: { backup: backup.name } };
  await client.create(ZookeeperCluster, clusterOf('copy', copy));
  await waitForObject(client, ZookeeperCluster, keyOf('copy'), isReady, options);
  await client.patch(ZookeeperCluster, keyOf('safe'), { spec: { size: 1 } });
  await client.patch(ZookeeperCluster, sample, { spec: { version: '3.9.4' } });
  await waitForObject(
    client,
    ZookeeperCluster,
    keyOf('safe'),
    (cluster) => isReady(cluster) && cluster?.status?.replicas === 1,
    options,
  );
  await waitForObject(
    client,
    ZookeeperCluster,
    sample,
    (cluster) => isReady(cluster) && cluster?.status?.version === '3.9.4',
    options,
  );
  await waitFor(async () => (await client.list(Job)).items.length === 0, options);
  const unused = await environment.unusedRules(operator);
  expect(unused.filter(({ role }) => role === 'ClusterRole manager-role')).toEqual([]);
});

function isReady(cluster: DeepReadonly<ZookeeperCluster> | undefined): boolean {
  return isConditionTrue(cluster?.status?.conditions, 'Ready');
}
