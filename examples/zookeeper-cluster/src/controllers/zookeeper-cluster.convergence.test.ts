// Copyright 2026 The zookeeper-operator authors
// SPDX-License-Identifier: Apache-2.0

import { type Condition, type KubernetesObject, Manager, createLogger } from 'ots-runtime';
import { type TestEnvironment, expectConvergence } from 'ots-testing';
import { expect, test } from 'vitest';
import { clusterOf, keyOf, listeners, operator } from '../../test/operator.ts';
import { SimulatedZookeeper } from '../../test/simulated-zookeeper.ts';
import { ZookeeperCluster, type ZookeeperClusterStatus } from '../api/v1/zookeeper-cluster.ts';
import { setupZookeeperClusterController } from './zookeeper-cluster.controller.ts';

test('the operator converges, whatever happens to it', async () => {
  let zookeeper = new SimulatedZookeeper();
  let environment: TestEnvironment;
  const { writes } = await expectConvergence({
    environment: {
      crds: ['config/crd/bases'],
      workloads: { images: { '*/zookeeper:*': (container) => zookeeper.run(container) } },
    },
    prepare: async (started) => {
      environment = started;
      // An environment has no data of the one before.
      zookeeper = new SimulatedZookeeper();
      zookeeper.connect(started);
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
    object: clusterOf('zk', { size: 1, version: '3.9.3' }),
    changes: {
      'gets another member': ({ client }) =>
        client.patch(ZookeeperCluster, keyOf('zk'), { spec: { size: 2 } }),
    },
    comparable,
    // Only disturbances of the operator: children are not edited by hand here.
    spare: () => true,
  });
  expect(writes).toContain('delete pods default/zk-0');
}, 1_200_000);

/** Which member leads depends on what happened. */
function comparable(
  object: KubernetesObject & { spec?: object; status?: ZookeeperClusterStatus },
): unknown {
  if (object.metadata.name === 'kubernetes') return undefined;
  if (object.spec && 'clusterIP' in object.spec) return withoutAddress(object);
  if (object.kind !== 'ZookeeperCluster' || !object.status) return object;
  const { conditions, leader, ...status } = object.status;
  return {
    ...object,
    status: { ...status, hasLeader: leader !== undefined, conditions: sorted(conditions) },
  };
}

function withoutAddress({ spec, ...service }: KubernetesObject & { spec?: object }): unknown {
  return { ...service, spec: { ...spec, clusterIP: undefined, clusterIPs: undefined } };
}

/** One that waits first has another order. */
function sorted(conditions: Condition[] = []): Condition[] {
  return conditions.toSorted((one, other) => one.type.localeCompare(other.type));
}
