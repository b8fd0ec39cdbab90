// Copyright 2026 The zookeeper-operator authors
// SPDX-License-Identifier: Apache-2.0

import { Client, type Condition, Manager, createLogger } from 'ots-runtime';
import { expectConvergence } from 'ots-testing';
import { expect, test } from 'vitest';
import { clusterOf, keyOf, listeners, operator } from '../../test/operator.ts';
import type { ZookeeperBackup } from '../api/v1/zookeeper-backup.ts';
import { ZookeeperCluster } from '../api/v1/zookeeper-cluster.ts';
import { setupZookeeperBackupController } from './zookeeper-backup.controller.ts';

const quorum: Condition = {
  type: 'Quorum',
  status: 'True',
  reason: 'Serving',
  message: '',
  lastTransitionTime: '2026-01-01T00:00:00Z',
};
const backup: ZookeeperBackup = {
  apiVersion: 'zookeeper.example.com/v1',
  kind: 'ZookeeperBackup',
  metadata: keyOf('nightly'),
  spec: { cluster: 'web' },
};

test('a backup converges, whatever happens to the operator', async () => {
  const { writes, disturbances } = await expectConvergence({
    environment: {
      crds: ['config/crd/bases'],
      workloads: { images: { '*/zookeeper:*': () => ({ exitAfter: '2s' }) } },
    },
    prepare: async (environment) => {
      await environment.install('config/rbac', { namespace: operator.namespace });
      await using client = new Client(environment.config);
      await client.create(ZookeeperCluster, clusterOf('web', { version: '3.9.3' }));
    },
    identity: operator,
    start: async (connection) => {
      const logger = createLogger({ level: 'silent' });
      const manager = await Manager.create(
        { connection, logger, userAgent: 'zookeeper-operator', ...listeners },
        { failOnDenied: true },
      );
      setupZookeeperBackupController(manager);
      return manager;
    },
    object: backup,
    changes: {
      'can be taken': ({ client }) =>
        client.status.patch(ZookeeperCluster, keyOf('web'), {
          status: { version: '3.9.3', leader: 'web-1', conditions: [quorum] },
        }),
    },
    // A snapshot that is taken is not changed any more.
    spare: () => true,
  });
  expect(writes).toContain('delete jobs.batch default/nightly');
  expect(disturbances.length).toBeGreaterThan(10);
}, 300_000);
