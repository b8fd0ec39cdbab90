// Copyright 2026 The etcd-operator authors
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
import { SimulatedEtcd, transportTo } from '../../test/simulated-etcd.ts';
import { EtcdBackup } from '../api/v1/etcd-backup.ts';
import { EtcdCluster } from '../api/v1/etcd-cluster.ts';
import { setupEtcdBackupController } from './etcd-backup.controller.ts';
import { setupEtcdClusterController } from './etcd-cluster.controller.ts';

const options = { timeout: '100s' } as const;

test('the samples become a cluster and its backup, with exactly the rights in config/rbac', async () => {
  const etcd = new SimulatedEtcd();
  await using environment = await TestEnvironment.start({
    crds: ['config/crd/bases'],
    workloads: { images: etcd.images },
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
  setupEtcdClusterController(manager, { transport: transportTo(environment) });
  setupEtcdBackupController(manager);
  manager.start().catch(() => {}); // `ready` also rejects
  await manager.ready;

  await environment.install('config/samples');
  const sample = keyOf('etcdcluster-v1-sample');
  await waitForObject(client, EtcdCluster, sample, isReady, options);
  const backup = keyOf('etcdbackup-v1-sample');
  await waitForObject(
    client,
    EtcdBackup,
    backup,
    (found) => isConditionTrue(found?.status?.conditions, 'Complete'),
    options,
  );
  expect((await client.get(StatefulSet, sample))?.status?.readyReplicas).toBe(3);
  expect((await client.get(PodDisruptionBudget, sample))?.spec?.minAvailable).toBe(2);

  // What needs the other rights: TLS, a restored cluster, another version, fewer members.
  await client.create(Secret, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: keyOf('copy-tls'),
    stringData: { 'ca.crt': 'a', 'tls.crt': 'b', 'tls.key': 'c' },
  });
  const spec = {
    size: 1,
    version: '3.5.21',
    tls: { secretName: 'copy-tls' },
    restore: { backup: backup.name },
  };
  await client.create(EtcdCluster, clusterOf('copy', spec));
  await client.patch(EtcdCluster, sample, { spec: { size: 1, version: '3.5.22' } });
  await waitForObject(client, EtcdCluster, keyOf('copy'), isReady, options);
  await waitForObject(
    client,
    EtcdCluster,
    sample,
    (cluster) =>
      isReady(cluster) && cluster?.status?.version === '3.5.22' && cluster.status.replicas === 1,
    options,
  );
  await waitFor(async () => (await client.list(Job)).items.length === 0, options);
  const unused = await environment.unusedRules(operator);
  expect(unused.filter(({ role }) => role === 'ClusterRole manager-role')).toEqual([]);
});

function isReady(cluster: DeepReadonly<EtcdCluster> | undefined): boolean {
  return isConditionTrue(cluster?.status?.conditions, 'Ready');
}
