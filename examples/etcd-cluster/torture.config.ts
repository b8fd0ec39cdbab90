// Copyright 2026 The etcd-operator authors
// SPDX-License-Identifier: Apache-2.0

import type { TortureConfig, TortureSetup } from 'ots-testing';
import { EtcdCluster } from './src/api/v1/etcd-cluster.ts';
import { comparable } from './test/comparable.ts';
import { clusterOf, createOperator, keyOf } from './test/operator.ts';
import { SimulatedEtcd } from './test/simulated-etcd.ts';

const cluster = 'etcdcluster-v1-sample';

/** The operator with simulated members. */
function simulated(setup: TortureSetup): TortureSetup {
  const workloads = { images: () => new SimulatedEtcd().images, nodes: 3 };
  return {
    ...setup,
    environment: { ...setup.environment, workloads },
    start: createOperator,
    comparable,
  };
}

export default {
  EtcdCluster: (setup) => ({
    ...simulated(setup),
    changes: {
      'gets a newer version': ({ client }) =>
        client.patch(EtcdCluster, keyOf(cluster), { spec: { version: '3.5.22' } }),
      'is scaled down': ({ client }) =>
        client.patch(EtcdCluster, keyOf(cluster), { spec: { size: 1 } }),
    },
  }),
  EtcdBackup: (setup) => ({
    ...simulated(setup),
    changes: {
      'gets its cluster': ({ client }) =>
        client.create(EtcdCluster, clusterOf(cluster, { size: 1, version: '3.5.21' })),
    },
  }),
} satisfies TortureConfig;
