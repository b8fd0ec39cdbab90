// Copyright 2026 The etcd-operator authors
// SPDX-License-Identifier: Apache-2.0

import { expectConvergence } from 'ots-testing';
import { expect, test } from 'vitest';
import { comparable } from '../../test/comparable.ts';
import { clusterOf, createOperator, keyOf, operator } from '../../test/operator.ts';
import { SimulatedEtcd } from '../../test/simulated-etcd.ts';
import { EtcdCluster } from '../api/v1/etcd-cluster.ts';

const missingVersion = '3.5.99';

test('the operator converges, whatever happens to it', async () => {
  const { writes, edits } = await expectConvergence({
    environment: {
      crds: ['config/crd/bases'],
      workloads: { images: () => new SimulatedEtcd().images },
    },
    prepare: async (environment) => {
      environment.failures.add(
        { image: `*:v${missingVersion}` },
        { imagePull: 'manifest unknown' },
      );
      await environment.install('config/rbac', { namespace: operator.namespace });
    },
    identity: operator,
    // All of its writes take many minutes: CONVERGENCE_WRITES=1000 disturbs each of them.
    maxWrites: Number(process.env['CONVERGENCE_WRITES'] ?? 4),
    start: createOperator,
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
