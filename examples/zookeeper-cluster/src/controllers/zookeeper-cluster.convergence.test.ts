// Copyright 2026 The zookeeper-operator authors
// SPDX-License-Identifier: Apache-2.0

import { expectConvergence } from 'ots-testing';
import { expect, test } from 'vitest';
import { comparable } from '../../test/comparable.ts';
import { clusterOf, createOperator, keyOf, operator } from '../../test/operator.ts';
import { SimulatedZookeeper } from '../../test/simulated-zookeeper.ts';
import { ZookeeperCluster } from '../api/v1/zookeeper-cluster.ts';

const missingVersion = '3.9.99';

test('the operator converges, whatever happens to it', async () => {
  const { writes, edits } = await expectConvergence({
    environment: {
      crds: ['config/crd/bases'],
      workloads: { images: () => new SimulatedZookeeper().images },
    },
    prepare: async (environment) => {
      environment.failures.add({ image: `*:${missingVersion}` }, { imagePull: 'manifest unknown' });
      await environment.install('config/rbac', { namespace: operator.namespace });
    },
    identity: operator,
    // All of its writes take many minutes: CONVERGENCE_WRITES=1000 disturbs each of them.
    maxWrites: Number(process.env['CONVERGENCE_WRITES'] ?? 4),
    start: createOperator,
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
