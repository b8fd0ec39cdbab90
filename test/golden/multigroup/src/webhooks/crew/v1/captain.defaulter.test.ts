// Copyright 2026 Acme Ltd
// SPDX-License-Identifier: MIT

import { Client, createLogger, Manager } from 'ots-runtime';
import { TestEnvironment } from 'ots-testing';
import { expect, test, vi } from 'vitest';
import { Captain } from '../../../api/crew/v1/captain.ts';
import { setupWebhooks } from '../../index.ts';
import { CaptainDefaulter } from './captain.defaulter.ts';

function resource(name: string, labels?: Record<string, string>): Captain {
  return {
    apiVersion: 'crew.example.com/v1',
    kind: 'Captain',
    metadata: { namespace: 'default', name, ...(labels && { labels }) },
    spec: { message: 'Hello' },
  };
}

const notCalled =
  'The API server does not call CaptainDefaulter: ' +
  'correct its @webhook tag and run `npm run manifests`';

test('a new Captain has the label of its manager', async () => {
  const defaulter = vi.spyOn(CaptainDefaulter.prototype, 'default');
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

  // It is valid without CaptainDefaulter, which must keep it valid.
  const labeled = await client.create(Captain, resource('labeled'));
  expect(defaulter, notCalled).toHaveBeenCalled();
  expect(labeled.metadata.labels).toEqual({ 'app.kubernetes.io/managed-by': 'multigroup' });

  const others = { 'app.kubernetes.io/managed-by': 'another-manager' };
  const kept = await client.create(Captain, resource('kept', others));
  expect(kept.metadata.labels).toEqual(others);
  await manager.stop();
  await running;
});
