// Copyright 2026 The etcd-operator authors
// SPDX-License-Identifier: Apache-2.0

import { type Condition, type KubernetesObject, Manager, createLogger } from 'ots-runtime';
import { type TestEnvironment, expectConvergence } from 'ots-testing';
import { expect, test } from 'vitest';
import { clusterOf, keyOf, listeners, operator } from '../../test/operator.ts';
import { SimulatedEtcd, transportTo } from '../../test/simulated-etcd.ts';
import { EtcdCluster, type EtcdClusterStatus } from '../api/v1/etcd-cluster.ts';
import { setupEtcdBackupController } from './etcd-backup.controller.ts';
import { setupEtcdClusterController } from './etcd-cluster.controller.ts';

const missingVersion = '3.5.99';

test('the operator converges, whatever happens to it', async () => {
  let etcd = new SimulatedEtcd();
  let environment: TestEnvironment;
  const { writes, edits } = await expectConvergence({
    environment: {
      crds: ['config/crd/bases'],
      workloads: { images: { '*/etcd:v*': (container) => etcd.run(container) } },
    },
    prepare: async (started) => {
      environment = started;
      // An environment has no data of the one before.
      etcd = new SimulatedEtcd();
      etcd.connect(started);
      started.failures.add({ image: `*:v${missingVersion}` }, { imagePull: 'manifest unknown' });
      await started.install('config/rbac', { namespace: operator.namespace });
    },
    identity: operator,
    // All of its writes take many minutes: CONVERGENCE_WRITES=1000 disturbs each of them.
    maxWrites: Number(process.env['CONVERGENCE_WRITES'] ?? 4),
    start: async (connection) => {
      const logger = createLogger({ level: 'silent' });
      const manager = await Manager.create(
        { connection, logger, userAgent: 'etcd-operator', ...listeners },
        { failOnDenied: true },
      );
      const now = () => new Date(connection.clock!.epoch());
      setupEtcdClusterController(manager, { now, transport: transportTo(environment) });
      setupEtcdBackupController(manager, now);
      return manager;
    },
    // From the start: a cluster that is deleted and made again with it has no data, so its status is another one.
    object: clusterOf('db', { size: 1, version: missingVersion }),
    changes: {
      'gets a version that exists': ({ client }) =>
        client.patch(EtcdCluster, keyOf('db'), { spec: { version: '3.5.20' } }),
      'gets another member': ({ client }) =>
        client.patch(EtcdCluster, keyOf('db'), { spec: { size: 2 } }),
    },
    comparable,
  });
  expect(writes).toContain('patch statefulsets.apps default/db');
  expect(edits).toEqual(
    expect.arrayContaining([
      expect.stringMatching('StatefulSet db edited by hand .*/spec/replicas'),
      'StatefulSet db deleted by hand',
    ]),
  );
}, 1_200_000);

/** IDs depend on how often something was tried. */
function comparable(object: KubernetesObject & { status?: EtcdClusterStatus }): unknown {
  if (object.kind !== 'EtcdCluster' || !object.status) return object;
  const { clusterID, conditions, members = [], ...status } = object.status;
  const names = members.map(({ name, isLost }) => ({ name, isLost }));
  return {
    ...object,
    status: {
      ...status,
      hasID: clusterID !== undefined,
      members: names,
      conditions: sorted(conditions),
    },
  };
}

/** One that waits first has another order. */
function sorted(conditions: Condition[] = []): Condition[] {
  return conditions.toSorted((one, other) => one.type.localeCompare(other.type));
}
