// Copyright 2026 The zookeeper-operator authors
// SPDX-License-Identifier: Apache-2.0

import { type Condition, type KubernetesObject, Manager, createLogger } from 'ots-runtime';
import { type TestEnvironment, expectConvergence } from 'ots-testing';
import { expect, test } from 'vitest';
import { clusterOf, keyOf, listeners, operator } from '../../test/operator.ts';
import { SimulatedZookeeper } from '../../test/simulated-zookeeper.ts';
import { ZookeeperCluster, type ZookeeperClusterStatus } from '../api/v1/zookeeper-cluster.ts';
import { setupZookeeperClusterController } from './zookeeper-cluster.controller.ts';

const missingVersion = '3.9.99';

test('the operator converges, whatever happens to it', async () => {
  let zookeeper = new SimulatedZookeeper();
  let environment: TestEnvironment;
  const { writes, edits } = await expectConvergence({
    environment: {
      crds: ['config/crd/bases'],
      workloads: { images: { '*/zookeeper:*': (container) => zookeeper.run(container) } },
    },
    prepare: async (started) => {
      environment = started;
      // An environment has no data of the one before.
      zookeeper = new SimulatedZookeeper();
      zookeeper.connect(started);
      started.failures.add({ image: `*:${missingVersion}` }, { imagePull: 'manifest unknown' });
      await started.install('config/rbac', { namespace: operator.namespace });
    },
    identity: operator,
    // All of its writes take many minutes: CONVERGENCE_WRITES=1000 disturbs each of them.
    maxWrites: Number(process.env['CONVERGENCE_WRITES'] ?? 4),
    start: async (connection) => {
      const logger = createLogger({ level: 'silent' });
      const manager = await Manager.create(
        { connection, logger, userAgent: 'zookeeper-operator', ...listeners },
        { failOnDenied: true },
      );
      const now = () => new Date(connection.clock!.epoch());
      setupZookeeperClusterController(manager, { now, connect: environment.network.connect });
      return manager;
    },
    // From the start: a cluster that is deleted and made again with it has no data, so its status is another one.
    object: clusterOf('zk', { size: 1, version: missingVersion }),
    changes: {
      'gets a version that exists': ({ client }) =>
        client.patch(ZookeeperCluster, keyOf('zk'), { spec: { version: '3.9.3' } }),
      'gets another member': ({ client }) =>
        client.patch(ZookeeperCluster, keyOf('zk'), { spec: { size: 2 } }),
    },
    comparable,
  });
  expect(writes).toContain('delete pods default/zk-0');
  expect(edits).toEqual(
    expect.arrayContaining([
      expect.stringMatching('StatefulSet zk edited by hand .*/spec/replicas'),
      'StatefulSet zk deleted by hand',
    ]),
  );
}, 1_200_000);

/** Which member leads depends on what happened. */
function comparable(object: KubernetesObject & { status?: ZookeeperClusterStatus }): unknown {
  if (object.kind !== 'ZookeeperCluster' || !object.status) return object;
  const { conditions, leader, ...status } = object.status;
  return {
    ...object,
    status: { ...status, hasLeader: leader !== undefined, conditions: sorted(conditions) },
  };
}

/** One that waits first has another order. */
function sorted(conditions: Condition[] = []): Condition[] {
  return conditions.toSorted((one, other) => one.type.localeCompare(other.type));
}
