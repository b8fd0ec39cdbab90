// Copyright 2026 The zookeeper-operator authors
// SPDX-License-Identifier: Apache-2.0

import { projectSetup, torture } from 'ots-testing';
import { expect, test } from 'vitest';
import config from '../../torture.config.ts';
import { setupWebhooks } from '../webhooks/index.ts';
import { setupControllers } from './index.ts';

// It crashes the operator, delays what it sees and refuses its requests, at each of its writes.
// `ots torture` searches longer and explains what it finds: node_modules/ots/docs/torture.md.
test('every ZookeeperCluster is reconciled, whatever goes wrong', async () => {
  const setup = await projectSetup({
    sample: 'config/samples/zookeeper_v1_zookeepercluster.yaml',
    kind: 'ZookeeperCluster',
    setup: [setupControllers, setupWebhooks],
    config,
  });
  const { findings } = await torture(setup, { budget: '10s' });
  expect(findings).toEqual([]);
}, 300_000);
