// Copyright 2026 The wordpress-operator authors
// SPDX-License-Identifier: Apache-2.0

import { TestEnvironment } from 'ots-testing';
import { Job } from 'ots-kubernetes/batch/v1';
import { Client, conditionTrue, createLogger, Manager, waitForObject } from 'ots-runtime';
import { expect, test } from 'vitest';
import { Wordpress } from '../api/v1alpha1/wordpress.ts';
import { setupWordpressController } from './wordpress.controller.ts';

const logger = createLogger({ level: 'silent' });
const listeners = { health: false, metrics: false, webhooks: false } as const;
// Who the operator is in a cluster, as config/rbac says it.
const operator = { serviceAccount: 'controller-manager', namespace: 'system' };
const key = { namespace: 'default', name: 'wordpress-v1alpha1-sample' };

test('a site is deployed, and makes a backup on demand', async () => {
  await using environment = await TestEnvironment.start({
    crds: ['config/crd/bases'],
    workloads: true,
    recordRequests: true,
  });
  await environment.install('config/rbac', { namespace: operator.namespace });
  await using client = new Client(environment.config);
  // It may do what config/rbac grants and nothing else: a missing rule fails the test.
  await using manager = await Manager.create(
    { connection: await environment.as(operator), logger, ...listeners },
    { failOnDenied: true },
  );
  setupWordpressController(manager);
  const running = manager.start();
  running.catch(() => {}); // `ready` and `idle` reject, too.
  await manager.ready;

  await environment.install('config/samples');
  const deployed = await waitForObject(
    client,
    Wordpress,
    key,
    (site) => conditionTrue('Ready')(site) && site?.status?.plans?.deploy?.phase === 'Complete',
    { timeout: '1m' },
  );
  expect(deployed?.status).toMatchObject({
    version: '6.5',
    plans: { deploy: { revision: '6.5' } },
  });

  await client.patch(Wordpress, key, { spec: { run: { plan: 'backup', id: 'monday' } } });
  const saved = await waitForObject(
    client,
    Wordpress,
    key,
    (site) => site?.status?.plans?.backup?.phase === 'Complete',
    { timeout: '1m' },
  );
  expect(saved?.status?.plans?.backup?.steps).toEqual([
    { name: 'data/dump-database', state: 'Complete' },
    { name: 'data/archive-uploads', state: 'Complete' },
  ]);
  const jobs = await client.list(Job, { labelSelector: 'apps.example.com/run' });
  expect(jobs.items.map(({ metadata }) => metadata.labels?.['apps.example.com/run'])).toEqual([
    'backup-monday',
    'backup-monday',
  ]);
  const again = { spec: { run: { plan: 'restore', backup: 'monday' } } } as const;
  await expect(client.patch(Wordpress, key, again)).rejects.toThrow('another run needs another id');

  const unused = await environment.unusedRules(operator);
  expect(unused.filter(({ role }) => role === 'ClusterRole manager-role')).toEqual([]);
  await manager.stop();
  await running;
}, 120_000);
