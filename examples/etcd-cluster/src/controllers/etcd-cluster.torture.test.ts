// Copyright 2026 The etcd-operator authors
// SPDX-License-Identifier: Apache-2.0

import { projectSetup, torture } from 'ots-testing';
import { expect, test } from 'vitest';
import config from '../../torture.config.ts';
import { setupWebhooks } from '../webhooks/index.ts';
import { setupControllers } from './index.ts';

// It crashes the operator, delays what it sees and refuses its requests, at each of its writes.
// `ots torture` searches longer and explains what it finds: node_modules/ots/docs/torture.md.
test('every EtcdCluster is reconciled, whatever goes wrong', async () => {
  const setup = await projectSetup({
    sample: 'config/samples/etcd_v1_etcdcluster.yaml',
    kind: 'EtcdCluster',
    setup: [setupControllers, setupWebhooks],
    config,
  });
  const { findings } = await torture(setup, { budget: '10s' });
  expect(findings).toEqual([]);
}, 300_000);
