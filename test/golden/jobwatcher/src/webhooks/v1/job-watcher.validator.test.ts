// Copyright 2026 Acme Ltd
// SPDX-License-Identifier: Apache-2.0

import { Client, createLogger, Manager } from 'ots-runtime';
import { TestEnvironment } from 'ots-testing';
import { expect, test, vi } from 'vitest';
import { JobWatcher } from '../../api/v1/job-watcher.ts';
import { setupWebhooks } from '../index.ts';
import { JobWatcherValidator } from './job-watcher.validator.ts';

const reserved: JobWatcher = {
  apiVersion: 'batch.my.github.com/v1',
  kind: 'JobWatcher',
  metadata: { namespace: 'default', name: 'jobwatcher' },
  spec: { message: 'Hello' },
};

const notCalled =
  'The API server does not call JobWatcherValidator: ' +
  'correct its @webhook tag and run `npm run manifests`';

test('the sample is valid, and the name of the operator is reserved', async () => {
  const validateCreate = vi.spyOn(JobWatcherValidator.prototype, 'validateCreate');
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

  await environment.install('config/samples/batch_v1_jobwatcher.yaml');
  expect(validateCreate, notCalled).toHaveBeenCalled();
  await expect(client.create(JobWatcher, reserved)).rejects.toThrow('reserved for the operator');
  await manager.stop();
  await running;
});
