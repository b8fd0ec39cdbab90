// Copyright 2026 The job-watcher authors
// SPDX-License-Identifier: Apache-2.0

import { projectSetup, torture } from 'ots-testing';
import { expect, test } from 'vitest';
import { setupWebhooks } from '../webhooks/index.ts';
import { setupControllers } from './index.ts';

// It crashes the operator, delays what it sees and refuses its requests, at each of its writes.
// `ots torture` searches longer and explains what it finds: node_modules/ots/docs/torture.md.
test('every JobWatcher is reconciled, whatever goes wrong', async () => {
  const setup = await projectSetup({
    sample: 'config/samples/batch_v1_jobwatcher.yaml',
    kind: 'JobWatcher',
    setup: [setupControllers, setupWebhooks],
  });
  const { findings } = await torture(setup, { budget: '10s' });
  // Each check writes its times into the status: the operator is never at rest.
  expect(findings.filter(({ oracle }) => oracle !== 'rests')).toEqual([]);
}, 120_000);
