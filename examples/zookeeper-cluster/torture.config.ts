// Copyright 2026 The zookeeper-operator authors
// SPDX-License-Identifier: Apache-2.0

import type { TortureConfig, TortureSetup } from 'ots-testing';
import { ZookeeperCluster } from './src/api/v1/zookeeper-cluster.ts';
import { comparable } from './test/comparable.ts';
import { clusterOf, createOperator, keyOf } from './test/operator.ts';
import { SimulatedZookeeper } from './test/simulated-zookeeper.ts';

const cluster = 'zookeepercluster-v1-sample';

/** The operator with simulated members. */
function simulated(setup: TortureSetup): TortureSetup {
  const workloads = { images: () => new SimulatedZookeeper().images };
  return {
    ...setup,
    environment: { ...setup.environment, workloads },
    start: createOperator,
    comparable,
  };
}

export default {
  ZookeeperCluster: (setup) => ({
    ...simulated(setup),
    changes: {
      'gets a newer version': ({ client }) =>
        client.patch(ZookeeperCluster, keyOf(cluster), { spec: { version: '3.9.4' } }),
      'is scaled down': ({ client }) =>
        client.patch(ZookeeperCluster, keyOf(cluster), { spec: { size: 2 } }),
    },
  }),
  ZookeeperBackup: (setup) => ({
    ...simulated(setup),
    changes: {
      'gets its cluster': ({ client }) =>
        client.create(ZookeeperCluster, clusterOf(cluster, { size: 1, version: '3.9.3' })),
    },
  }),
} satisfies TortureConfig;
