// Copyright 2026 The wordpress-operator authors
// SPDX-License-Identifier: Apache-2.0

import { projectSetup, torture } from 'ots-testing';
import { expect, test } from 'vitest';
import { setupWebhooks } from '../webhooks/index.ts';
import { setupControllers } from './index.ts';

// ots torture found: wordpresses.apps.example.com default/wordpress-v1alpha1-sample: status.plans.update is there and should not be
test('The object is deleted after write 29 (patch wordpresses/status.apps.example.com default/wordpress-v1alpha1-sample) when the object is created, and made again under its name', async () => {
  const setup = await projectSetup({
    sample: 'config/samples/apps_v1alpha1_wordpress.yaml',
    kind: 'Wordpress',
    setup: [setupControllers, setupWebhooks],
  });
  const { findings } = await torture(setup, {
    seed: 1,
    plans: [{ phase: 'recreation', step: 0, write: 29 }],
  });
  expect(findings).toEqual([]);
}, 120_000);
