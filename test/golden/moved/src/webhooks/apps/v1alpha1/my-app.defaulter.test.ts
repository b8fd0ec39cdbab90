// Copyright 2026 Harbor Ltd
// SPDX-License-Identifier: MIT

import { Client, createLogger, Manager } from 'ots-runtime';
import { TestEnvironment } from 'ots-testing';
import { expect, test, vi } from 'vitest';
import { MyApp } from '../../../api/apps/v1alpha1/my-app.ts';
import { setupWebhooks } from '../../index.ts';
import { MyAppDefaulter } from './my-app.defaulter.ts';

function resource(name: string, labels?: Record<string, string>): MyApp {
  return {
    apiVersion: 'apps.example.com/v1alpha1',
    kind: 'MyApp',
    metadata: { namespace: 'default', name, ...(labels && { labels }) },
    spec: { message: 'Hello' },
  };
}

const notCalled =
  'The API server does not call MyAppDefaulter: ' +
  'correct its @webhook tag and run `npm run manifests`';

test('a new MyApp has the label of its manager', async () => {
  const defaulter = vi.spyOn(MyAppDefaulter.prototype, 'default');
  await using environment = await TestEnvironment.start({ crds: ['config/crd/bases'] });
  // `npm run manifests` writes this file from the @webhook tags.
  await environment.install('config/webhook/manifests.yaml');
  await using client = new Client(environment.config);
  // Without the option `webhooks`, the manager serves them to the API server of the test.
  await using manager = await Manager.create({
    connection: environment.config,
    logger: createLogger({ level: 'error', format: 'pretty' }),
  });
  setupWebhooks(manager);
  const running = manager.start();
  running.catch(() => {}); // `ready` rejects, too.
  await manager.ready;

  // It is valid without MyAppDefaulter, which must keep it valid.
  const labeled = await client.create(MyApp, resource('labeled'));
  expect(defaulter, notCalled).toHaveBeenCalled();
  expect(labeled.metadata.labels).toEqual({ 'app.kubernetes.io/managed-by': 'moved' });

  const others = { 'app.kubernetes.io/managed-by': 'another-manager' };
  const kept = await client.create(MyApp, resource('kept', others));
  expect(kept.metadata.labels).toEqual(others);
  await manager.stop();
  await running;
});
